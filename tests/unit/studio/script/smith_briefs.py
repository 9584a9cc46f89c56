"""Fifty briefs of many trades, in two languages, as the offline writer gets them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from callsheet.studio.brief import from_data, load
from callsheet.studio.model.brief import Brief

EXAMPLES = Path(__file__).parents[4] / "examples" / "briefs"

# brand | audience | pains | core | messages | call to action
ENGLISH = """
Petalry | florists with a single shop | roses thrown away on Mondays; suppliers who answer by fax | Petalry buys exactly the stems you will sell. | orders that follow the weather; 30 percent less waste; one invoice a month | Ask for a trial crate
Stairwell | landlords of old buildings | keys nobody can find; tenants who wait for a plumber | Stairwell opens the right door for the right person. | codes that end at midnight; a log of every visit; fits any lock in 10 minutes | Order your first lock
Quietcall | parents of toddlers | naps that end with a doorbell | Quietcall lets the door wait until the nap is over. | rings your watch instead of the hall; works with two buttons; no cloud and no camera | Get Quietcall for your door
Brightline | road workers on night shifts | drivers who look at their phones; vests that fade | You are seen before you are needed. | light that lasts 14 hours; washes at sixty degrees; sewn by people on night shifts | Try the vest on your next shift
Ledgerly | bookkeepers of small firms | receipts in shoe boxes; questions at half past five | Ledgerly reads every receipt before you do. | sorts by tax year; finds duplicates; asks the client for you; exports in one click | Start with 50 free receipts
Moss & Stone | gardeners who hate plastic | pots that crack in the frost | Our pots grow old together with your plants. | fired at 1,100 degrees; made from local clay; returns accepted for ten years | Visit the kiln on Sunday
Skylark | pilots of small aircraft | weather reports in five places; fuel stops that are closed | Skylark shows the whole flight on one page. | updates while you taxi; 4,200 airfields with opening hours; prints for the kneeboard | Plan your next flight with Skylark
Dearly | grandchildren who live abroad | calls that freeze; birthdays that slip by | Dearly turns your photos into letters that arrive. | printed and posted within a day; large type for tired eyes; one letter a week | Send the first letter free
Copperpot | cooks of school canteens | menus that nobody eats; allergens on paper slips | Copperpot plans lunches that children finish. | shows leftovers by dish; warns of 14 allergens; costs a menu to the penny | Book a tasting week
Tideglass | divers on their first trip | masks that fog; guides who talk too fast | Tideglass keeps the reef clear and the talk slow. | groups of four; warm water suits included; a film of your dive the same evening | Reserve a place on the morning boat
Parcelpal | people without a doorman | parcels that wait at the depot; neighbours who feel like a post office | Parcelpal keeps your parcel until you are home. | open until midnight; a shelf on every second corner; returns without a printer | Pick your corner
Northbeam | owners of warehouses | lamps that burn over empty aisles | Light follows people, not the clock. | sensors every six metres; half the bill in the first year; installed at night | Ask for a lamp count
Halftime | coaches of youth teams | line-ups on the back of envelopes; parents who call at dinner | Halftime gives every child the same minutes. | counts by itself; a plan for rain; messages to all parents at once | Plan Saturday with Halftime
Hearth Radio | villages without a newspaper | news from far away only | Hearth Radio tells you what happened on your road. | two hours every evening; made by forty volunteers; recipes on Fridays | Tune in at six
"""
GERMAN = """
Zeitholz | Menschen mit kleinen Wohnungen | Tische die wackeln; Möbel für fünf Jahre | Zeitholz baut Tische, die deine Enkel noch benutzen. | Eiche aus der Eifel; ohne eine Schraube; Reparatur auf Lebenszeit | Komm in die Werkstatt
Funkstille | Eltern von Jugendlichen | Handys beim Abendessen; Streit um jede Minute | Mit Funkstille gehört der Abend wieder der Familie. | eine Kiste aus Kork; Platz für sechs Geräte; öffnet nach 60 Minuten | Bestell deine Kiste
Wegweiser | Kommunen mit leeren Innenstädten | Läden die schließen; Parkplätze ohne Autos | Wegweiser bringt Menschen zurück auf den Marktplatz. | Zahlen aus 80 Städten; ein Fest im ersten Jahr; Mieten die sich tragen | Fordern Sie die Studie an
Aquila | Betreiber von Schwimmbädern | Chlor in der Luft; hohe Heizkosten | Aquila hält das Wasser klar und die Rechnung klein. | misst alle 30 Sekunden; warnt vor Störungen; spart ein Drittel der Energie | Vereinbaren Sie einen Rundgang
Kleinkram | Handwerker auf Montage | fehlende Schrauben; Fahrten zum Baumarkt | Kleinkram liefert die Schraube, bevor sie fehlt. | Kisten nach Gewerk; Nachschub per Knopfdruck; Lieferung bis sieben Uhr | Testen Sie eine Kiste
Lichtung | Bestatter und ihre Familien | Gespräche ohne Worte; Formulare in dunklen Stunden | Lichtung nimmt Ihnen die Formulare ab. | alle Ämter an einem Ort; Vorlagen in zwölf Sprachen; jemand am Telefon, auch nachts | Rufen Sie uns an
Radwerk | Pendler mit langen Wegen | Staus am Morgen; Busse die ausfallen | Mit Radwerk bist du schneller als der Stau. | 120 Kilometer mit einer Ladung; Diebstahlschutz inklusive; Werkstatt um die Ecke | Fahr eine Woche zur Probe
Nordlicht Schule | Erwachsene die Lesen lernen | Briefe die liegen bleiben; Ausreden an der Kasse | In der Nordlicht Schule liest du nach einem Winter. | Gruppen von sechs Leuten; kostenlos und ohne Test; Bücher für Große | Schau am Dienstag vorbei
Saatgut Hof | Balkongärtner in der Stadt | Tomaten ohne Geschmack; Töpfe ohne Plan | Vom Saatgut Hof kommt Gemüse, das auf den Balkon passt. | 40 alte Sorten; Erde ohne Torf; ein Kalender für jeden Balkon | Hol dir dein Paket
Taktwerk | Leiter von Fabriken | stehende Bänder; Ersatzteile die fehlen | Taktwerk hört die Maschine, bevor sie stehen bleibt. | Sensoren zum Aufkleben; Alarm 48 Stunden vorher; läuft ohne Internet | Fordern Sie einen Testsensor an
Milchmond | Hebammen auf dem Land | lange Wege; Akten im Auto | Milchmond bringt jede Akte mit ins Zimmer. | diktiert und geschrieben in einer Minute; offline auf jedem Hof; Daten bleiben im Landkreis | Starten Sie mit einer Woche
Querbeet | Kantinen großer Firmen | volle Mülleimer; leere Tische am Freitag | Querbeet kocht, was die Leute wirklich essen. | Speisepläne aus der Region; 25 Prozent weniger Abfall; Rückmeldung am selben Tag | Laden Sie uns zum Probeessen ein
"""
TYPES = ("explainer", "product_demo", "social_ad", "testimonial", "brand_story", "general")
LENGTHS = (15, 30, 45, 60, 75, 90, 120, 180, 300)
TONES = {
    "en": ("confident", "warm and honest", "playful", "urgent", "calm", "matter-of-fact"),
    "de": ("selbstbewusst", "herzlich", "verspielt", "dringend", "ruhig", "sachlich"),
}
RATES = ("24", "25", "30", "23.976", "29.97")
EMOTIONS = ("relief", "pride", "confidence", "joy", "wonder", "belonging")
EMPHASES = ("solution", "problem", "proof", "people")


@cache
def generated(count: int = 50) -> tuple[Brief, ...]:
    """So many briefs: trades, types, lengths, tones and rates in ever new company."""
    rows = [
        (language, row)
        for language, table in (("en", ENGLISH), ("de", GERMAN))
        for row in table.strip().splitlines()
    ]
    return tuple(_brief(number, *rows[number % len(rows)]) for number in range(count))


def _brief(number: int, language: str, row: str) -> Brief:
    brand, who, pains, core, messages, cta = (cell.strip() for cell in row.split("|"))
    kind = TYPES[(number * 5 + number // 7) % len(TYPES)]
    return from_data(
        {
            "project": {"title": f"{brand} {number}"},
            "audience": {"who": who, "pain_points": pains.split("; ")},
            "message": {
                "core": core,
                "supporting": messages.split("; ")[: 2 + number % 3],
                "cta": cta,
                "brand": brand,
                "must_include": [brand],
                "must_avoid": ["cheap", "revolutionary", "billig"],
            },
            "content": {
                "type": kind,
                "duration": LENGTHS[(number * 2 + number // 9) % len(LENGTHS)],
                "language": language,
            },
            "style": {"tone": TONES[language][number % 6]},
            "delivery": {"fps": RATES[number % len(RATES)]},
            "direction": {
                "midpoint_emotion": EMOTIONS[number % 6],
                "act2_emphasis": EMPHASES[number % 4],
            },
        },
        f"brief {number}",
    )


@cache
def examples() -> tuple[Brief, ...]:
    """The example briefs for which a script has to be written."""
    files = sorted(p for p in EXAMPLES.iterdir() if p.suffix in {".yaml", ".json", ".md"})
    found = [load(path) for path in files]
    return tuple(b for b in found if b.content.script is None and b.content.shots is None)


def harbor() -> Brief:
    """The best known of them."""
    return load(EXAMPLES / "harbor.yaml")
