import classes from './search-results.module.css'

/** The parts of a score in users' words, most direct first. */
const reasons: [part: string, reason: string][] = [
  ['entityName', 'Its name matches your query'],
  ['words', 'It contains your words'],
  ['pairs', 'Your words are close together'],
  ['name', 'Your words are in the name of its entity'],
  ['named', 'You named its entity'],
  ['asked', 'It belongs to an entity you named'],
  ['subject', 'The name of its entity is much of your query'],
  ['relation', 'One of its relations matches your query'],
  ['listed', 'It is of the type you asked for'],
  ['neighbours', 'Neighbouring observations contain your words'],
  ['entity', 'Its entity matches much of your query'],
  ['graph', 'It is connected to the best results'],
  ['meaning', 'It is similar in meaning'],
  ['kind', 'It contains a date or number, as you asked for'],
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
