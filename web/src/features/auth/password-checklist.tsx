import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import classes from './password-checklist.module.css'
import { passwordHints } from './signup.rules.ts'

/** Ticks off the hints that the password meets as it is typed. */
export function PasswordChecklist({ password }: { password: string }) {
  return (
    <ul className={classes.list} aria-label="Password strength">
      {passwordHints.map(({ label, test }) => {
        const met = test(password)
        return (
          <li key={label} data-met={met} className={classes.item}>
            {met ? <IconCheck size={14} /> : <IconCircleDashed size={14} />}
            {label}
            <VisuallyHidden>{met ? ' (met)' : ' (missing)'}</VisuallyHidden>
          </li>
        )
      })}
    </ul>
  )
}
