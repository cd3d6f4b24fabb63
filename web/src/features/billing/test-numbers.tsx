import { testNumbers } from './test-card.rules.ts'
import classes from './test-numbers.module.css'

/** Test cards; a click fills one in. */
export function TestNumbers({ onPick }: { onPick: (number: string) => void }) {
  return (
    <ul className={classes.list}>
      {testNumbers.map(({ number, outcome }) => (
        <li key={number}>
          <button type="button" className={classes.number} onClick={() => onPick(number)}>
            {number}
          </button>
          <span>{outcome}</span>
        </li>
      ))}
    </ul>
  )
}
