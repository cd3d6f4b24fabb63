import classes from './search-results.module.css'

/** The parts of a score in users' words, most direct first. */
const reasons: [part: string, reason: string][] = [
  ['entityName', 'Its name is what you asked for'],
  ['words', 'It has the words you asked for'],
  ['pairs', 'They stand close together'],
  ['name', 'They are in the name of what it is about'],
  ['named', 'You named what it is about'],
  ['asked', 'It is a fact of what you named'],
  ['subject', 'What it is about is much of your question'],
  ['relation', 'A relation of it is what you asked for'],
  ['listed', 'It is of the type you asked for'],
  ['neighbours', 'What was said just before or after has them'],
  ['entity', 'Much of your question is found in this entity'],
  ['graph', 'It is connected with the best results'],
  ['meaning', 'It is alike in meaning'],
  ['kind', 'It holds a date or a number, as you asked for'],
  ['time', 'It is from the time you asked about'],
  ['learned', 'It reads like an answer'],
]
const leastShown = 0.01

/** Explains on demand why a result was found: each reason with its share of the score. */
export function ScoreExplanation({ parts }: { parts: Record<string, number> }) {
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0)
  const told = reasons
    .map(([part, reason]) => ({ part, reason, share: (parts[part] ?? 0) / (total || 1) }))
    .filter(({ share }) => share >= leastShown)
    .sort((a, b) => b.share - a.share)
  if (told.length === 0) return null
  return (
    <details className={classes.why}>
      <summary>Why this result?</summary>
      <ul>
        {told.map(({ part, reason, share }) => (
          <li key={part}>
            {reason} <span className="loci-number">({Math.round(share * 100)}%)</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
