import { type KeyboardEvent, useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { type AccountDoors, type Agent, type Cell, cellOf } from './agents.rules.ts'
import { DoorGlyph } from './door-glyph.tsx'
import { DoorLight } from './door-light.tsx'
import { doorWords } from './doors.rules.ts'
import classes from './doors-table.module.css'

type TableProps = {
  accounts: readonly AccountDoors[]
  agents: readonly Agent[]
  chosen: string | undefined
  onChoose: (cell: Cell) => void
}

export const keyOfCell = ({ agent, account, space }: Pick<Cell, 'agent' | 'account' | 'space'>) =>
  `${account.id} ${space.id} ${agent.id}`

/** A row for each memory, a column for each agent, a door in each cell. The arrows go from door to door. */
export function DoorsTable({ accounts, agents, chosen, onChoose }: TableProps) {
  const [focused, setFocused] = useState<string>()
  const first = accounts[0]?.spaces[0]
  const tabbed =
    focused ??
    chosen ??
    (first && agents[0] && keyOfCell({ agent: agents[0], account: accounts[0]!, space: first }))
  return (
    <section className={classes.scroll} aria-label="Doors">
      <table className={classes.table} onKeyDown={moveFocus}>
        <thead>
          <tr>
            <th scope="col">Memory</th>
            {agents.map(({ id, name, kind }) => (
              <th key={id} scope="col">
                <span className={classes.agent}>
                  <WriterMark name={name} isAgent={kind !== 'yours'} />
                  <span>
                    <bdi title={name}>{name}</bdi>
                    <small>{kind}</small>
                  </span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {accounts.map((account) => (
          <tbody key={account.id}>
            {accounts.length > 1 && (
              <tr className={classes.account}>
                <th scope="rowgroup" colSpan={agents.length + 1}>
                  <bdi>{account.name}</bdi>{' '}
                  <small>
                    {countOf(account.spaces.length, 'space', 'spaces')}; you are {roleWords[account.role]}
                  </small>
                </th>
              </tr>
            )}
            {account.spaces.map((space) => (
              <tr key={space.id}>
                <th scope="row">
                  <bdi title={space.name}>{space.name}</bdi>
                  <small>{countOf(space.entities, 'entity', 'entities')}</small>
                </th>
                {agents.map((agent) => {
                  const cell = cellOf(agent, account, space)
                  const key = keyOfCell(cell)
                  return (
                    <td key={agent.id} data-door={cell.door} data-chosen={key === chosen || undefined}>
                      <button
                        type="button"
                        className={classes.cell}
                        aria-pressed={key === chosen}
                        tabIndex={key === tabbed ? 0 : -1}
                        onFocus={() => setFocused(key)}
                        onClick={() => onChoose(cell)}
                      >
                        <DoorGlyph door={cell.door} />
                        <span>
                          <b>{doorWords[cell.door]}</b>
                          <DoorLight cell={cell} />
                        </span>
                        <span className="loci-unseen">
                          : {agent.name} into {space.name}
                        </span>
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

export const roleWords: Record<string, string> = {
  owner: 'its owner',
  admin: 'an admin',
  member: 'a member',
  viewer: 'a viewer',
}

const steps: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key]
  if (step === undefined || !(event.target instanceof HTMLElement)) return
  const rows = [...event.currentTarget.querySelectorAll('tr:has(button)')].map((row) => [
    ...row.querySelectorAll('button'),
  ])
  const row = rows.findIndex((buttons) => buttons.includes(event.target as HTMLButtonElement))
  const column = rows[row]?.indexOf(event.target as HTMLButtonElement) ?? -1
  const next = rows[row + step[0]]?.[column + step[1]]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
