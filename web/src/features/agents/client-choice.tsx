import classes from './client-choice.module.css'
import { agentClients } from './snippets.ts'

type ClientChoiceProps = { value: string; onChange: (id: string) => void }

/** The clients in one row, which scrolls when it does not fit. */
export function ClientChoice({ value, onChange }: ClientChoiceProps) {
  return (
    <fieldset className={classes.clients} aria-label="Client">
      {agentClients.map(({ id, name }) => (
        <label key={id} className={classes.client}>
          <input
            type="radio"
            name="client"
            className="loci-unseen"
            checked={id === value}
            onChange={() => onChange(id)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
