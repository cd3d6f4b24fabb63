import type { Space } from '@loci/contract/spaces'
import { Kbd } from '@mantine/core'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type SpaceDialogName, SpaceDialogs } from '../../features/spaces/space-dialogs.tsx'
import { allowedTo } from '../../lib/allowed-to.ts'
import { useEntitiesFound } from '../../lib/entities-found.ts'
import { type RecentEntity, recentEntities } from '../../lib/recent-entities.ts'
import { useUser } from '../../lib/session.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import classes from './command-palette.module.css'
import { places } from './nav-items.ts'
import { holdsWords, isNamedBy } from './palette-match.ts'
import { placeKeys } from './shortcuts.ts'
import { usePaletteActions } from './use-palette-actions.tsx'

const [paletteStore, palette] = createSpotlight()

export { palette }

const resultsShown = 8

/** Finds pages, entities and actions from the keyboard. */
export function CommandPalette({ onHelp }: { onHelp: () => void }) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const role = useUser()?.role
  const dialog = useDialog<SpaceDialogName, Space>()
  const { entities: matching, isFetching } = useEntitiesFound(query, query.trim() !== '')
  const entities = matching.slice(0, resultsShown)
  // Not before mounting: on close, a dialog returns focus to whatever had it on opening.
  useEffect(() => palette.open(), [])
  const topHit = entities[0]?.id
  useEffect(() => {
    if (topHit !== undefined) selectFirst()
  }, [topHit])
  const words = query.trim().toLowerCase()
  const pathname = useLocation({ select: (location) => location.pathname })
  const recent = words === '' ? recentEntities().filter(({ id }) => pathname !== `/entities/${id}`) : []
  const shownPlaces = allowedTo(role, places).filter(({ label }) => label.toLowerCase().includes(words))
  const actions = allowedTo(role, usePaletteActions({ onHelp, onSpace: dialog.open }))
  const shownActions = actions.filter((action) => holdsWords(`${action.label} ${action.words ?? ''}`, words))

  // Whoever types the name of a page or an action means it; any other word may stand in many entities.
  const leads = [...shownPlaces, ...shownActions].some(({ label }) => isNamedBy(label, words))
  const found = <Entities label="Entities" entities={words === '' ? [] : entities} />
  const search = words !== '' && (
    <Spotlight.Action
      label={`Search memory for “${shorten(query.trim())}”`}
      leftSection={<IconSearch size={18} />}
      onClick={() => void navigate({ to: '/search', search: { query: query.trim() } })}
    />
  )
  const commands = (
    <>
      {shownPlaces.length > 0 && (
        <Spotlight.ActionsGroup label="Pages">
          {shownPlaces.map(({ to, label, icon: Icon }) => (
            <Spotlight.Action
              key={to}
              label={label}
              leftSection={<Icon size={18} />}
              rightSection={<Keys first="G" second={placeKeys[to].toUpperCase()} />}
              onClick={() => void navigate({ to })}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {(words !== '' || shownActions.length > 0) && (
        <Spotlight.ActionsGroup label="Actions">
          {!leads && search}
          {shownActions.map(({ label, icon: Icon, key, run }) => (
            <Spotlight.Action
              key={label}
              label={label}
              leftSection={<Icon size={18} />}
              rightSection={key && <Keys first={key} />}
              onClick={run}
            />
          ))}
          {leads && search}
        </Spotlight.ActionsGroup>
      )}
    </>
  )

  return (
    <>
      <Spotlight.Root
        store={paletteStore}
        shortcut={null}
        query={query}
        onQueryChange={setQuery}
        scrollable
        maxHeight={420}
        centered={false}
        yOffset="14dvh"
        overlayProps={{ backgroundOpacity: 0.6 }}
        radius="lg"
        classNames={{ action: classes.action, actionsGroup: classes.group, actionsList: classes.list }}
        attributes={{ content: { 'aria-label': 'Command palette' } }}
      >
        <Spotlight.Search
          placeholder="Find an entity, a page or an action"
          aria-label="Find an entity, a page or an action"
          classNames={{ input: classes.search }}
          leftSection={<IconSearch size={18} />}
        />
        <Spotlight.ActionsList>
          {leads ? (
            <>
              {commands}
              {found}
            </>
          ) : (
            <>
              <Entities label="Recent" entities={recent} />
              {found}
              {commands}
            </>
          )}
          {isFetching && words !== '' && entities.length === 0 && (
            <Spotlight.Empty>Searching...</Spotlight.Empty>
          )}
        </Spotlight.ActionsList>
      </Spotlight.Root>
      <SpaceDialogs dialog={dialog} />
    </>
  )
}

type EntitiesProps = { label: string; entities: readonly RecentEntity[] }

function Entities({ label, entities }: EntitiesProps) {
  const navigate = useNavigate()
  if (entities.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={label}>
      {entities.map(({ id, name, type }) => (
        <Spotlight.Action
          key={id}
          label={shorten(name)}
          description={type}
          leftSection={
            <span className={classes.dot}>
              <TypeDot type={type} />
            </span>
          }
          onClick={() => void navigate({ to: '/entities/$entityId', params: { entityId: id } })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

const Keys = ({ first, second }: { first: string; second?: string }) => (
  <span className={classes.keys} aria-hidden>
    <Kbd size="xs">{first}</Kbd>
    {second && <Kbd size="xs">{second}</Kbd>}
  </span>
)

/** Results arrive after the selection was made; Enter should take the best one. */
function selectFirst(): void {
  const list = document.getElementById(paletteStore.getState().listId)
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  paletteStore.updateState((state) => ({ ...state, selected: 0 }))
}

function shorten(text: string): string {
  const characters = [...text]
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : text
}
