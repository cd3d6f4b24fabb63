import { Button } from '@mantine/core'
import { IconPlug } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { recentAgents, useAgents } from '../../features/agents/agents.queries.ts'
import { WriterMark } from '../../ui/writer-badge.tsx'
import classes from './shell-agents.module.css'

const shownMax = 3

/** The agents of the last 24 hours; before any agent's first call, a link to connect one. */
export function ShellAgents() {
  const { data } = useAgents()
  if (data === undefined) return null
  if (!data.hasCalled) {
    return (
      <Button
        renderRoot={(props) => <Link {...props} to="/settings" hash="connect" />}
        variant="default"
        className={classes.connect}
        leftSection={<IconPlug size={15} />}
      >
        Connect
      </Button>
    )
  }
  const names = recentAgents(data.agents)
  if (names.length === 0) return null
  const label = `Agents of the last 24 hours: ${names.join(', ')}`
  return (
    <Link to="/history" className={classes.agents} title={label}>
      <span className="loci-unseen">{label}</span>
      {names.slice(0, shownMax).map((name) => (
        <WriterMark key={name} name={name} isAgent />
      ))}
      {names.length > shownMax && (
        <span className={classes.more} aria-hidden>
          +{names.length - shownMax}
        </span>
      )}
    </Link>
  )
}
