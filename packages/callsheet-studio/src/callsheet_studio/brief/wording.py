"""What is taken where a brief says nothing, by type and language. Words, no decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet_studio.brief.tongue import Tongue

SECONDS = {
    "explainer": 60,
    "product_demo": 45,
    "social_ad": 30,
    "testimonial": 90,
    "brand_story": 90,
    "general": 60,
}
MEDIA = {
    "explainer": "animation",
    "product_demo": "animation",
    "social_ad": "live_action",
    "testimonial": "live_action",
    "brand_story": "live_action",
    "general": "mixed",
}
EMOTION = {
    "explainer": "relief",
    "product_demo": "confidence",
    "social_ad": "joy",
    "testimonial": "relief",
    "brand_story": "pride",
    "general": "wonder",
}
EMPHASIS = {
    "explainer": "solution",
    "product_demo": "solution",
    "social_ad": "solution",
    "testimonial": "proof",
    "brand_story": "people",
    "general": "solution",
}
TONES: dict[Tongue, dict[str, str]] = {
    "en": {
        "explainer": "friendly and clear",
        "product_demo": "confident",
        "social_ad": "energetic",
        "testimonial": "warm and honest",
        "brand_story": "warm",
        "general": "friendly",
    },
    "de": {
        "explainer": "freundlich und klar",
        "product_demo": "selbstbewusst",
        "social_ad": "energisch",
        "testimonial": "warmherzig und ehrlich",
        "brand_story": "warmherzig",
        "general": "freundlich",
    },
}
MOODS: dict[Tongue, dict[str, str]] = {
    "en": {
        "explainer": "curious",
        "product_demo": "calm",
        "social_ad": "lively",
        "testimonial": "honest",
        "brand_story": "inspiring",
        "general": "bright",
    },
    "de": {
        "explainer": "neugierig",
        "product_demo": "ruhig",
        "social_ad": "lebhaft",
        "testimonial": "ehrlich",
        "brand_story": "inspirierend",
        "general": "hell",
    },
}
CALLS: dict[Tongue, dict[str, tuple[str, str]]] = {
    "en": {
        "explainer": ("Find out more about {brand}", "Find out more today"),
        "product_demo": ("Try {brand} today", "Try it yourself today"),
        "social_ad": ("Get {brand} now", "Get yours now"),
        "testimonial": ("See what {brand} can do for you", "See what it can do for you"),
        "brand_story": ("Get to know {brand}", "Be part of the story"),
        "general": ("Discover {brand}", "Find out more today"),
    },
    "de": {
        "explainer": ("Mehr über {brand} erfahren", "Jetzt mehr erfahren"),
        "product_demo": ("Jetzt {brand} ausprobieren", "Jetzt selbst ausprobieren"),
        "social_ad": ("Jetzt {brand} holen", "Jetzt zugreifen"),
        "testimonial": ("Jetzt {brand} kennenlernen", "Jetzt selbst erleben"),
        "brand_story": ("Jetzt {brand} kennenlernen", "Werde Teil der Geschichte"),
        "general": ("Jetzt {brand} entdecken", "Jetzt mehr erfahren"),
    },
}
"""With and without a brand."""

TALL = ("tiktok", "reels", "reel", "shorts", "stories", "story", "snapchat")
FEEDS = ("instagram", "feed")
RATIOS = {"16:9": (16, 9), "9:16": (9, 16), "1:1": (1, 1), "4:5": (4, 5)}
SHORT_SIDE = 720

# The questions

QUESTIONS: dict[Tongue, dict[str, str]] = {
    "en": {
        "core_message": "What shall people remember, in one sentence?",
        "tone": "How shall the film speak?",
        "cta": "What shall people do after the film?",
        "midpoint_emotion": "What shall people feel in the middle of the film?",
        "act2_emphasis": "What shall the middle of the film dwell on?",
        "visual_metaphors": "Is there a picture that stands for the message?",
    },
    "de": {
        "core_message": "Was soll hängen bleiben, in einem Satz?",
        "tone": "Wie soll der Film sprechen?",
        "cta": "Was sollen die Leute nach dem Film tun?",
        "midpoint_emotion": "Was sollen die Leute in der Mitte des Films fühlen?",
        "act2_emphasis": "Wobei soll die Mitte des Films verweilen?",
        "visual_metaphors": "Gibt es ein Bild, das für die Botschaft steht?",
    },
}
HINTS: dict[Tongue, dict[str, str]] = {
    "en": {
        "core_message": "One sentence, with the name of the product in it.",
        "tone": "It decides words, pace and music.",
        "cta": "It is said word for word at the end.",
        "midpoint_emotion": "The strongest moment before the end.",
        "act2_emphasis": "It gets the most time.",
        "visual_metaphors": "For example: a light that goes on. Leave it empty if there is none.",
    },
    "de": {
        "core_message": "Ein Satz, mit dem Namen des Produkts.",
        "tone": "Das bestimmt Worte, Tempo und Musik.",
        "cta": "Es wird am Ende wörtlich gesagt.",
        "midpoint_emotion": "Der stärkste Moment vor dem Schluss.",
        "act2_emphasis": "Es bekommt die meiste Zeit.",
        "visual_metaphors": "Zum Beispiel: ein Licht, das angeht. Leer lassen, wenn keines passt.",
    },
}
TONE_OPTIONS: dict[Tongue, tuple[str, ...]] = {
    "en": ("friendly", "confident", "calm", "energetic", "playful", "serious"),
    "de": ("freundlich", "selbstbewusst", "ruhig", "energisch", "verspielt", "ernst"),
}
