import { CloseButton } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { onLiveEvent } from '../../lib/live.ts'
import { isOwnChange } from '../../lib/own-changes.ts'
import classes from './live-notes.module.css'
import { nameInCache } from './name-in-cache.ts'
import { type Note, noteOf } from './notes.ts'

const notesMax = 5
const noteShownMs = 10_000

/** Announces changes that agents and other people make: the last five, for ten seconds each. */
export function LiveNotes() {
  const client = useQueryClient()
  const [notes, setNotes] = useState<Note[]>([])
  const drop = (id: string) => setNotes((now) => now.filter((note) => note.id !== id))

  useEffect(
    () =>
      onLiveEvent((event) => {
        if (isOwnChange(event)) return
        const note = noteOf(event, (entityId) => nameInCache(client, entityId))
        setNotes((now) => [...now.filter(({ id }) => id !== note.id), note].slice(-notesMax))
        setTimeout(() => setNotes((now) => now.filter(({ id }) => id !== note.id)), noteShownMs)
      }),
    [client],
  )

  return (
    <ul className={classes.notes} aria-label="Live notifications" aria-live="polite">
      {notes.map((note) => (
        <li key={note.id} className={classes.note}>
          <IconBolt size={14} className={classes.icon} />
          {note.entityId ? (
            <Link to="/entities/$entityId" params={{ entityId: note.entityId }} className={classes.text}>
              {note.text}
            </Link>
          ) : (
            <span className={classes.text}>{note.text}</span>
          )}
          <CloseButton size="xs" aria-label="Dismiss" onClick={() => drop(note.id)} />
        </li>
      ))}
    </ul>
  )
}
