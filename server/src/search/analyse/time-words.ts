import { foldDiacritics } from './fold.ts'
import { monthWords, shortMonthWords } from './month-names.ts'

/** Words that say when, in the languages of the analyser. A question about the past need not find them in any text. */
const timeWords = `
  now nowadays still yet already currently current recently recent lately late later early earlier earliest latest ago
  before after since until today tonight tomorrow yesterday last past next previous previously former formerly once
  always never sometimes often usually soon then meanwhile anymore ever second minute hour hourly day daily week weekly
  weekend fortnight month monthly quarter quarterly year yearly decade century morning noon afternoon evening night
  midnight time times date dates when first days weeks months years hours minutes seconds decades centuries originally
  initially eventually finally lastly afterwards afterward beforehand annually meantime moment newest oldest around circa
  spring summer autumn fall winter monday tuesday wednesday thursday friday saturday sunday
  inzwischen mittlerweile anfangs ursprünglich schließlich endlich danach davor vorher nachher jährlich frühling
  frühjahr sommer herbst winter jetzt heute gestern vorgestern morgen übermorgen bald noch schon bereits immer nie niemals manchmal oft häufig derzeit
  momentan aktuell zurzeit gerade kürzlich neulich zuletzt früher damals später seit bisher nächste nächsten nächster
  nächstes letzte letzten letzter letztes letztem vorige vorigen voriges vergangene vergangenen tag tage tagen woche
  wochen wochenende monat monate monaten monats jahr jahre jahren jahres stunde stunden minute minuten abend mittag
  nachmittag nacht montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
  autrefois désormais auparavant finalement ensuite jadis naguère printemps été automne hiver maintenant aujourd hui hier demain bientôt déjà encore toujours jamais parfois souvent actuellement récemment dernier
  dernière derniers dernières prochain prochaine passé passée précédent précédente avant après depuis jour jours semaine
  semaines mois an ans année années heure heures matin midi soir nuit lundi mardi mercredi jeudi vendredi samedi dimanche
  antaño finalmente entonces mientras primavera verano otoño invierno ahora hoy ayer anteayer mañana pronto ya todavía aún siempre nunca veces actualmente recientemente últimamente último
  última últimos últimas próximo próxima pasado pasada pasados anterior antes después día días semana semanas mes meses
  año años hora horas tarde noche lunes martes miércoles jueves viernes sábado domingo
  infine allora intanto frattempo estate autunno inverno adesso ora oggi ieri domani presto già ancora sempre mai spesso attualmente recentemente ultimo ultima ultimi ultime
  prossimo prossima scorso scorsa scorsi prima dopo giorno giorni settimana settimane mese mesi anno anni mattina
  pomeriggio sera notte lunedì martedì mercoledì giovedì venerdì sabato domenica
  outrora finalmente então enquanto verão outono inverno agora hoje ontem amanhã cedo ainda sempre nunca atualmente recentemente ultimamente último passado passada próximo
  dia dias semana semanas mês meses ano anos manhã tarde noite segunda terça quarta quinta sexta sábado domingo feira
  destijds eindelijk intussen daarna lente zomer herfst winter nu vandaag gisteren eergisteren morgen straks nog altijd nooit soms vaak momenteel onlangs laatst laatste vorig vorige
  volgende afgelopen vroeger later dag dagen week weken weekeinde maand maanden jaar jaren uur ochtend middag avond nacht
  maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
  раньше позже потом наконец сначала весна весной лето летом осень осенью зима зимой сейчас теперь сегодня вчера позавчера завтра скоро уже еще всегда никогда иногда часто недавно последний последняя
  последнее последние прошлый прошлая прошлое прошлом прошлой прошлые следующий следующая следующем день дня дни дней
  неделя неделе недели неделю недель месяц месяца месяце месяцев год года году годы лет час утро вечер ночь понедельник
  вторник среда среду четверг пятница пятницу суббота субботу воскресенье
  الآن اليوم أمس غدا دائما أبدا أحيانا حاليا مؤخرا قبل بعد منذ يوم أيام أسبوع الأسبوع أسابيع شهر الشهر أشهر سنة السنة
  سنوات عام العام الماضي الماضية القادم القادمة الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت
  现在 今天 昨天 前天 明天 最近 目前 已经 还 上周 本周 下周 上个月 本月 今年 去年 明年 年 月 日 天 周 星期
  今 今日 昨日 明日 最近 現在 先週 今週 来週 先月 今月 来月 昨年 来年 週 지금 오늘 어제 내일 최근 현재 아직 작년 올해 내년
  지난주 이번 지난`

const words = new Set(
  [...timeWords.trim().split(/\s+/), ...monthWords, ...shortMonthWords].map((word) =>
    foldDiacritics(word.toLowerCase()),
  ),
)

/** Whether a word of a question (folded) says when: that nothing stored has it tells nothing. */
export const isTimeWord = (surface: string): boolean => words.has(surface)
