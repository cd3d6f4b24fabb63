import type { Right } from '@loci/contract/rights'
import { places } from './nav-items.ts'

/** What a shortcut does; the shell carries it out. */
export type ShortcutAction = { go: (typeof places)[number]['to'] } | 'search' | 'create' | 'help'

/** The letter that goes to each page after `g`. */
export const placeKeys: Record<(typeof places)[number]['to'], string> = {
  '/dashboard': 'd',
  '/entities': 'e',
  '/relations': 'r',
  '/graph': 'g',
  '/conversations': 'c',
  '/inbox': 'i',
  '/history': 'h',
  '/search': 's',
  '/recalls': 'q',
  '/duplicates': 'u',
  '/health': 'm',
  '/api-keys': 'k',
  '/audit': 'l',
  '/webhooks': 'w',
  '/billing': 'b',
  '/settings': 't',
}

const single: Record<string, ShortcutAction> = { '?': 'help', '/': 'search', c: 'create' }
const sequenceMs = 1_500

/** Reads key presses one by one and returns an action when they form a shortcut. */
export function createShortcutReader(now: () => number): (key: string) => ShortcutAction | undefined {
  let prefixUntil = 0
  return (key) => {
    const afterPrefix = now() < prefixUntil
    prefixUntil = 0
    if (afterPrefix) {
      const place = places.find(({ to }) => placeKeys[to] === key)
      return place && { go: place.to }
    }
    if (key === 'g') prefixUntil = now() + sequenceMs
    return single[key]
  }
}

type ShortcutRow = { keys: string[]; label: string; right?: Right }

/** The shortcuts in the help dialog, in the order in which people learn them. */
export const shortcutGroups: { title: string; rows: ShortcutRow[] }[] = [
  {
    title: 'Anywhere',
    rows: [
      { keys: ['?'], label: 'Show these shortcuts' },
      { keys: ['mod', 'K'], label: 'Find anything' },
      { keys: ['/'], label: 'Search memory' },
      { keys: ['C'], label: 'Create an entity', right: 'memory:write' },
      { keys: ['mod', 'Z'], label: 'Undo your last change', right: 'memory:write' },
      { keys: ['mod', 'Enter'], label: 'Submit the form' },
      { keys: ['Esc'], label: 'Close a dialog, or clear a selection' },
    ],
  },
  {
    title: 'Go to',
    rows: places.map(({ to, label, ...rest }) => ({
      keys: ['G', placeKeys[to].toUpperCase()],
      label,
      ...('right' in rest && { right: rest.right }),
    })),
  },
]
