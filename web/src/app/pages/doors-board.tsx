import type { Door } from '@loci/contract/doors'
import { Drawer, Kbd } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import {
  type AccountDoors,
  agentsIn,
  type Cell,
  cellOf,
  refusalOf,
} from '../../features/doors/agents.rules.ts'
import classes from '../../features/doors/doors.module.css'
import { useCreateDoor, useDoors, useSetDoor } from '../../features/doors/doors.queries.ts'
import { doorWords, isWider } from '../../features/doors/doors.rules.ts'
import { DoorsList } from '../../features/doors/doors-list.tsx'
import { DoorsTable, keyOfCell } from '../../features/doors/doors-table.tsx'
import { useKeySecrets } from '../../features/keys/keys.queries.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess, offerUndo } from '../../lib/notify.tsx'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { useUser } from '../../lib/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Frame } from '../../ui/frame.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { CredentialList } from './credential-list.tsx'
import { DoorPanel } from './door-panel.tsx'

const none: AccountDoors[] = []

/** Which agent comes into which memory, and how far: a row for each memory, a column for each agent. */
export function DoorsBoard() {
  const user = useUser()
  const { accounts = none, error, retry, ...state } = useDoors(user?.accounts ?? [])
  const agents = useMemo(() => agentsIn(accounts, user?.id ?? ''), [accounts, user?.id])
  const [chosen, setChosen] = useState<string>()
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
  const cells = accounts.flatMap((account) =>
    account.spaces.flatMap((space) => agents.map((agent) => cellOf(agent, account, space))),
  )
  const cell = cells.find((one) => keyOfCell(one) === chosen)
  const { choose, asked, confirm, dismiss, isPending } = useChoice()
  const onChoose = (picked: Cell) => setChosen(keyOfCell(picked))
  useScreenKeys(keysOf(cell, choose))
  if (error) return <ErrorAlert message={messageOf(error, 'Could not load the doors')} onRetry={retry} />
  if (state.isLoading)
    return <LoadingText shape={<ListSkeleton rows={4} />}>Loading the doors...</LoadingText>
  const panel = cell && (
    <DoorPanel
      key={chosen}
      cell={cell}
      isPending={isPending}
      onChoose={(door) => choose(cell, door)}
      onClose={() => setChosen(undefined)}
    />
  )
  return (
    <>
      <Frame className={panel && !isNarrow ? classes.board : undefined}>
        <div className={classes.main}>
          {isNarrow ? (
            <DoorsList accounts={accounts} agents={agents} onChoose={onChoose} />
          ) : (
            <DoorsTable accounts={accounts} agents={agents} chosen={chosen} onChoose={onChoose} />
          )}
          {!isNarrow && <CredentialList agents={agents} accounts={accounts} />}
        </div>
        {!isNarrow && panel}
      </Frame>
      <Legend />
      <Drawer.Root
        opened={isNarrow && cell !== undefined}
        onClose={() => setChosen(undefined)}
        position="bottom"
        size="85%"
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label={cell && `${cell.agent.name} into ${cell.space.name}`}>
          <Drawer.Body p={0}>{isNarrow && panel}</Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <ConfirmDialog
        opened={asked !== undefined}
        title={asked ? questionOf(asked.cell, asked.door) : ''}
        confirmLabel={
          asked?.door === 'none' ? 'Disconnect' : `Let it ${asked ? doorWords[asked.door].toLowerCase() : ''}`
        }
        {...(asked?.door === 'none' ? {} : { confirmColor: 'ink' })}
        pending={isPending}
        onConfirm={confirm}
        onClose={dismiss}
      >
        {asked?.door === 'none'
          ? 'The app is signed out at once. To let it in again, connect it from the app itself.'
          : 'It gets further into this memory from its next call on.'}
      </ConfirmDialog>
    </>
  )
}

const questionOf = ({ agent, space }: Cell, door: Door) =>
  door === 'none'
    ? `Disconnect ${agent.name} from ${space.name}?`
    : `Let ${agent.name} ${door === 'propose' ? 'propose changes to' : `${door}${door === 'write' ? ' to' : ''}`} ${space.name}?`

const doorOfKey: Record<string, Door> = { n: 'none', r: 'read', p: 'propose', w: 'write' }

const keysOf = (cell: Cell | undefined, choose: (cell: Cell, door: Door) => void) =>
  Object.fromEntries([
    ...Object.entries(doorOfKey).map(([key, door]) => [
      key,
      () =>
        cell !== undefined && refusalOf(cell, door) === undefined && door !== cell.door && choose(cell, door),
    ]),
    ['t', () => cell !== undefined && document.querySelector<HTMLElement>('[data-try]')?.focus()],
  ])

/** A narrower door acts at once and can be undone; a wider one, and the end of a connection, are asked first. */
function useChoice() {
  const set = useSetDoor()
  const create = useCreateDoor()
  const { remember } = useKeySecrets()
  const [asked, setAsked] = useState<{ cell: Cell; door: Door }>()
  function act(cell: Cell, door: Door) {
    const failed = (error: unknown) => notifyError('The door could not be moved', messageOf(error, ''))
    if (cell.credential === undefined) {
      const made = (key: { id: string; apiKey: string }) => {
        remember(key.id, key.apiKey)
        notifySuccess(`${cell.agent.name} has a key for ${cell.space.name}. Copy it now: it is shown once.`)
      }
      return create.mutate({ cell, opens: door }, { onSuccess: made, onError: failed, onSettled: dismiss })
    }
    set.mutate(
      { cell, opens: door },
      { onSuccess: () => told(cell, door), onError: failed, onSettled: dismiss },
    )
  }
  function told(cell: Cell, door: Door) {
    const message = `${cell.agent.name} into ${cell.space.name}: ${doorWords[door].toLowerCase()}`
    if (cell.credential?.kind === 'connection' && door === 'none') return notifySuccess(message)
    const undo = () => set.mutate({ cell, opens: cell.door })
    offerUndo(message, undo)
  }
  const dismiss = () => setAsked(undefined)
  return {
    asked,
    dismiss,
    isPending: set.isPending || create.isPending,
    choose(cell: Cell, door: Door) {
      const ends = cell.credential?.kind === 'connection' && door === 'none'
      if (ends || isWider(door, cell.door)) setAsked({ cell, door })
      else act(cell, door)
    },
    confirm: () => asked && act(asked.cell, asked.door),
  }
}

const lights = [
  ['recent', 'Called within a day'],
  ['quiet', 'Quiet'],
  ['ends', 'Ends soon'],
  ['refused', 'Last call refused'],
] as const

function Legend() {
  return (
    <footer className={classes.legend}>
      <span>
        {lights.map(([light, words]) => (
          <span key={light} className={classes.light} data-light={light}>
            {words}
          </span>
        ))}
      </span>
      <span className={classes.keys}>
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> <Kbd>←</Kbd> <Kbd>→</Kbd> Door
        </span>
        <span>
          <Kbd>N</Kbd> <Kbd>R</Kbd> <Kbd>P</Kbd> <Kbd>W</Kbd> Set it
        </span>
        <span>
          <Kbd>T</Kbd> Try it
        </span>
      </span>
    </footer>
  )
}
