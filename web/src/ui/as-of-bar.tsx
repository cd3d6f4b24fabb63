import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { fromLocalInput, toLocalInput, useAsOf } from '../lib/as-of.ts'
import classes from './as-of-bar.module.css'

const typingPauseMs = 500

/** Shows which past moment the screen displays, with a link back to the present. */
export function AsOfBar() {
  const asOf = useAsOf()
  const navigate = useNavigate()
  if (asOf === undefined) return null
  const show = (moment: string | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, asOf: moment }), replace: true })
  return (
    <section className={classes.bar} aria-label="Earlier state">
      <div className={classes.inner}>
        <IconHistory size={16} aria-hidden />
        <MomentField key={asOf} asOf={asOf} onChange={show} />
        <span className={classes.hint}>Nothing can be changed here.</span>
        <Button size="compact-sm" variant="default" className={classes.back} onClick={() => show(undefined)}>
          Back to now
        </Button>
      </div>
    </section>
  )
}

type MomentFieldProps = { asOf: string; onChange: (moment: string) => void }

function MomentField({ asOf, onChange }: MomentFieldProps) {
  const [value, setValue] = useState(() => toLocalInput(asOf))
  useEffect(() => {
    const moment = fromLocalInput(value)
    if (moment === undefined || value === toLocalInput(asOf)) return
    const timer = setTimeout(() => onChange(moment), typingPauseMs)
    return () => clearTimeout(timer)
  }, [value, asOf, onChange])
  return (
    <label className={classes.label}>
      {value === '' ? (
        <>
          <span className={classes.long}>The memory after change {asOf}, or as of</span>
          <span className={classes.short} aria-hidden>
            Change {asOf}
          </span>
        </>
      ) : (
        <span className={classes.long}>The memory as of</span>
      )}
      <input
        type="datetime-local"
        className={classes.field}
        value={value}
        max={toLocalInput(new Date().toISOString())}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
    </label>
  )
}
