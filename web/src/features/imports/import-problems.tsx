import type { ImportReport } from '@loci/contract/imports'
import { countOf } from '../../lib/format.ts'
import classes from './import-status.module.css'
import { placeOf, placeText } from './imports.rules.ts'

/** The parts of the file that could not be imported: broken lines, relations whose ends are missing. */
export function ImportProblems({ problems: { total, first } }: Pick<ImportReport, 'problems'>) {
  if (total === 0) return null
  return (
    <details className={classes.problems}>
      <summary>{countOf(total, 'problem', 'problems')} in the file</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <ol tabIndex={0} aria-label="Problems in the file">
        {first
          .toSorted((a, b) => placeOf(a) - placeOf(b))
          .map((problem, index) => (
            <li key={index}>
              <span className={classes.line}>{placeText(problem)}:</span> {problem.message}
            </li>
          ))}
        {total > first.length && <li>and {countOf(total - first.length, 'more', 'more')}</li>}
      </ol>
    </details>
  )
}
