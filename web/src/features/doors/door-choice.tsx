import type { Door } from '@loci/contract/doors'
import { type Cell, refusalOf } from './agents.rules.ts'
import { DoorGlyph } from './door-glyph.tsx'
import classes from './door-panel.module.css'
import { doorSentences, doorsInOrder, doorWords } from './doors.rules.ts'

type ChoiceProps = { cell: Cell; isPending: boolean; onChoose: (door: Door) => void }

/** How far a door stands open. A choice acts at once; those that cannot be made say why. */
export function DoorChoice({ cell, isPending, onChoose }: ChoiceProps) {
  const refusals = doorsInOrder.map((door) => refusalOf(cell, door)).filter((text) => text !== undefined)
  return (
    <div className={classes.choice}>
      <fieldset aria-label="Door" disabled={isPending}>
        {doorsInOrder.map((door) => (
          <label key={door} data-door={door}>
            <input
              type="radio"
              name="door"
              className="loci-unseen"
              checked={door === cell.door}
              disabled={refusalOf(cell, door) !== undefined}
              onChange={() => onChoose(door)}
            />
            <DoorGlyph door={door} />
            {doorWords[door]}
          </label>
        ))}
      </fieldset>
      <p>{[doorSentences[cell.door], ...new Set(refusals)].join(' ')}</p>
    </div>
  )
}
