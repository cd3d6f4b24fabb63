import { memoised } from '../../ground/lib/memoised.ts'

/** Words with which people say that something is no longer as it was. */
const english =
  /\b(?:now|nowadays|no longer|any ?more|instead|recently|rather than|switch(?:ed|ing)?|moved|changed?|replaced|renamed|upgraded|updated?|downgraded|migrated|relicensed|rebooked|postponed|reschedul\w+|push(?:ed)? back|brought forward|delayed|extended|expanded|shortened|lowered|raised|increased|decreased|reduced|improved|reached|grown|doubled|halved|scaled|promoted|demoted|retired|resigned|quit|stopped|gave up|given up|broke (?:it )?off|handed over|took over|taken over|sold the|cancel(?:l)?ed|reopened|closed|from now on|as of|these days|after all|again|back (?:at|in|to)|went up|gone up|go up|down to|up from|is gone|are gone|decided on|reverted|rolled back|no more|got married|since (?:his|her|their|its|the|last|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|easter|christmas))\b/i

const others = [
  /\b(?:jetzt|nun|inzwischen|mittlerweile|nicht mehr|kein\w* mehr|ab sofort|künftig|wieder|gezogen|gewechselt|übernommen|verlängert|verschoben|aufgegeben|aufgehört|getauscht|umgestellt|verkauft|seit (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|kurzem|gestern|heute|dem|der|seinem|ihrem))\b/iu,
  /(?<!\p{L})(?:ahora|ya no|a partir de|desde (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|hoy|ayer)|se mudó|cambió|cambiamos|cambiado|migrado|retrasó|dejó de)(?!\p{L})/iu,
  /(?<!\p{L})(?:désormais|maintenant|ne \p{L}+ plus|n'\p{L}+ plus|déménagé|remplacé|changé|reporté|à partir de|depuis (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|hier|peu))(?!\p{L})/iu,
  /変更|になった|になりました|引っ越|昇進|やめて|やめた|廃止|最近|に決めた|現在は|もう.{1,12}ない|改成|改为|换成|搬到|不再|现在/u,
]

/** Facts of recent answers and writes. */
const textsMax = 1_000
const keptLengthMax = 1_000

/** Whether a text says that something has changed, in English, German, Spanish, French, Japanese or Chinese. */
export const tellsOfChange = memoised(
  textsMax,
  (text) => english.test(text) || others.some((words) => words.test(text)),
  keptLengthMax,
)
