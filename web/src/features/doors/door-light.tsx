import { TimeText } from '../../ui/time-text.tsx'
import type { Cell } from './agents.rules.ts'
import classes from './doors.module.css'

const dayMs = 86_400_000

/** When something last came through a door, or why it soon will not. */
export function DoorLight({ cell: { door, call, credential } }: { cell: Cell }) {
  if (door === 'none' || credential === undefined) return null
  const light = lightOf(call, credential.endsSoon)
  return (
    <span className={classes.light} data-light={light}>
      {light === 'refused' && 'Refused'}
      {light === 'ends' && 'Ends soon'}
      {(light === 'recent' || light === 'quiet') &&
        (call ? <TimeText iso={call.at} /> : credential.lastUsedAt === null ? 'Never' : 'No call seen')}
    </span>
  )
}

function lightOf(call: Cell['call'], endsSoon: boolean): 'refused' | 'ends' | 'recent' | 'quiet' {
  if (call?.isRefused) return 'refused'
  if (endsSoon) return 'ends'
  return call !== undefined && Date.now() - Date.parse(call.at) < dayMs ? 'recent' : 'quiet'
}
