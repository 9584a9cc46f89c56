"""Where a film is made and shown, as far as tools are offered there or not: by codes, or names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.brief.problems import did_you_mean, show

if TYPE_CHECKING:
    from callsheet_studio.brief.problems import Problems

_ANYWHERE = frozenset(
    {"any", "anywhere", "everywhere", "global", "world", "worldwide", "überall", "weltweit"}
)
_UNION = """
AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK
"""
_OTHERS = """
AD AE AF AG AI AL AM AO AQ AR AS AU AW AX AZ BA BB BD BF BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX DJ DM DO DZ EC EG EH ER ET FJ FK FM FO GA GD
GE GF GG GH GI GL GM GN GP GQ GS GT GU GW GY HK HM HN HT ID IL IM IN IO IQ IR IS JE JM JO JP KE KG
KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS
MU MV MW MX MY MZ NA NC NE NF NG NI NP NR NU NZ NO OM PA PE PF PG PH PK PM PN PR PS PW PY QA RE RS
RU RW SA SB SC SD SG SH SJ SL SM SN SO SR SS ST SV SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV
TW TZ UA UG UK UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
_CODES = {code.casefold(): "EU" for code in _UNION.split()}
_CODES |= {code.casefold(): code for code in _OTHERS.split()}
_NAMES = {
    "EU": (
        "european union",
        "europäische union",
        "austria",
        "österreich",
        "belgium",
        "belgien",
        "bulgaria",
        "bulgarien",
        "croatia",
        "kroatien",
        "cyprus",
        "zypern",
        "czechia",
        "czech republic",
        "tschechien",
        "denmark",
        "dänemark",
        "estonia",
        "estland",
        "finland",
        "finnland",
        "france",
        "frankreich",
        "germany",
        "deutschland",
        "greece",
        "griechenland",
        "hungary",
        "ungarn",
        "ireland",
        "irland",
        "italy",
        "italien",
        "latvia",
        "lettland",
        "lithuania",
        "litauen",
        "luxembourg",
        "luxemburg",
        "malta",
        "netherlands",
        "the netherlands",
        "niederlande",
        "poland",
        "polen",
        "portugal",
        "romania",
        "rumänien",
        "slovakia",
        "slowakei",
        "slovenia",
        "slowenien",
        "spain",
        "spanien",
        "sweden",
        "schweden",
    ),
    "UK": (
        "gb",
        "united kingdom",
        "great britain",
        "britain",
        "england",
        "scotland",
        "wales",
        "vereinigtes königreich",
        "großbritannien",
    ),
    "US": ("usa", "united states", "united states of america", "america", "vereinigte staaten"),
    "AU": ("australia", "australien"),
    "BR": ("brazil", "brasilien"),
    "CA": ("canada", "kanada"),
    "CH": ("switzerland", "schweiz"),
    "CN": ("china",),
    "IN": ("india", "indien"),
    "JP": ("japan",),
    "KR": ("south korea", "korea", "südkorea"),
    "MX": ("mexico", "mexiko"),
    "NO": ("norway", "norwegen"),
    "NZ": ("new zealand", "neuseeland"),
    "TR": ("turkey", "türkiye", "türkei"),
    "UA": ("ukraine",),
    "ZA": ("south africa", "südafrika"),
}
_KNOWN = {"eu": "EU", **_CODES} | {name: code for code, names in _NAMES.items() for name in names}


def region_of(text: str, key: str, problems: Problems) -> str | None:
    """The code of a region; None for anywhere, and, with a problem, for what is no region.

    A member of the European Union counts as `EU`: what is not offered there is not offered in it.
    """
    name = text.casefold().rstrip(".").replace("u.s.a", "usa").replace("u.s", "us")
    if name in _ANYWHERE:
        return None
    if code := _KNOWN.get(name):
        return code
    options = [known for known in _KNOWN if len(known) > len("US")]
    fix = did_you_mean(name, options) or (
        "Write EU, UK, US or KR, or the code of another country, as in JP; leave it out if it does "
        "not matter."
    )
    problems.add(key, f"{show(text)} is not a region", fix)
    return None
