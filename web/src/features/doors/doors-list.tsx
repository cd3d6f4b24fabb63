import { type AccountDoors, type Agent, type Cell, cellOf } from './agents.rules.ts'
import { DoorGlyph } from './door-glyph.tsx'
import { DoorLight } from './door-light.tsx'
import { doorWords } from './doors.rules.ts'
import classes from './doors-list.module.css'

type ListProps = {
  accounts: readonly AccountDoors[]
  agents: readonly Agent[]
  onChoose: (cell: Cell) => void
}

/** The same doors on a narrow screen, memory by memory. */
export function DoorsList({ accounts, agents, onChoose }: ListProps) {
  return (
    <div className={classes.list}>
      {accounts.flatMap((account) =>
        account.spaces.map((space) => (
          <section key={`${account.id} ${space.id}`} aria-label={space.name}>
            <h2>
              <bdi>{space.name}</bdi> {accounts.length > 1 && <small>{account.name}</small>}
            </h2>
            {agents.map((agent) => {
              const cell = cellOf(agent, account, space)
              return (
                <button
                  key={agent.id}
                  type="button"
                  className={classes.listed}
                  data-door={cell.door}
                  onClick={() => onChoose(cell)}
                >
                  <DoorGlyph door={cell.door} />
                  <bdi>{agent.name}</bdi>
                  <span>
                    <b>{doorWords[cell.door]}</b>
                    <DoorLight cell={cell} />
                  </span>
                </button>
              )
            })}
          </section>
        )),
      )}
    </div>
  )
}
