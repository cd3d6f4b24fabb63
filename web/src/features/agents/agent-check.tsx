import { IconCircleCheck } from '@tabler/icons-react'
import { useAgentSeen } from './agents.queries.ts'
import classes from './connect-panel.module.css'

/** Waits for the first call over MCP and turns green. */
export function AgentCheck() {
  const { data: seen = false } = useAgentSeen()
  return (
    <div className={classes.check} data-seen={seen} role="status">
      {seen ? (
        <>
          <IconCircleCheck size={18} aria-hidden /> Connected: an agent has called over MCP
        </>
      ) : (
        <>
          <span className={classes.waiting} aria-hidden /> Waiting for your agent's first call...
        </>
      )}
    </div>
  )
}
