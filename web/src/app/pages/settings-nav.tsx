import { useEffect, useEffectEvent, useState } from 'react'
import classes from './settings-page.module.css'

type Place = { id: string; label: string }

/** How far below the top of the window a section counts as reached. */
const reachedAt = 120

/** Links to the sections of the page; the one in view is marked. */
export function SettingsNav({ places }: { places: readonly Place[] }) {
  const [current, setCurrent] = useState(places[0]?.id)
  const follow = useEffectEvent(() => setCurrent(placeInView(places.map(({ id }) => id))))
  useEffect(() => {
    follow()
    const ended = new AbortController()
    const { signal } = ended
    window.addEventListener('scroll', () => follow(), { passive: true, signal })
    window.addEventListener('hashchange', () => follow(), { signal })
    return () => ended.abort()
  }, [])
  return (
    <nav className={classes.nav} aria-label="Settings">
      {places.map(({ id, label }) => (
        <a key={id} href={`#${id}`} aria-current={id === current || undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}

/** The last section reached, or the one asked for if it is in view: not every section can reach the top of the window. */
function placeInView(ids: readonly string[]): string | undefined {
  const topOf = (id: string) =>
    document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY
  const asked = window.location.hash.slice(1)
  if (ids.includes(asked) && topOf(asked) > reachedAt && topOf(asked) < window.innerHeight * 0.75)
    return asked
  return ids.findLast((id) => topOf(id) <= reachedAt) ?? ids[0]
}
