import { NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useKeepConversations } from './spaces.queries.ts'

const offered = [30, 90, 180, 365, 730]

type KeepProps = {
  /** After how many days the server deletes a conversation in any space; null for never. */
  serverDays: number | null
}

/** After how long conversations of this space are deleted. */
export function KeepConversations({ serverDays }: KeepProps) {
  const mayReview = useMay('memory:review')
  const mayWrite = useMay('conversations:write')
  const { days, change } = useKeepConversations()
  const [asked, setAsked] = useState<number>()
  if (days === undefined) return null
  const byServer =
    serverDays === null ? '' : ` This server deletes them after ${daysText(serverDays)} in any case.`
  if (!mayReview || !mayWrite) return <Text c="dimmed">{wordsOf(days) + byServer}</Text>

  function set(conversationDays: number | null) {
    change.mutate(
      { conversationDays },
      {
        onSuccess: () => notifySuccess(wordsOf(conversationDays)),
        onError: (error) => notifyError('Failed to change this', messageOf(error, '')),
        onSettled: () => setAsked(undefined),
      },
    )
  }

  return (
    <>
      <NativeSelect
        label="Delete conversations"
        description={`Counted from their last turn. What was remembered from them stays.${byServer}`}
        inputWrapperOrder={['label', 'input', 'description']}
        maw={420}
        value={days ?? ''}
        disabled={change.isPending}
        data={choicesOf(days)}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value) || null
          // Only a shorter time deletes what is there now.
          if (chosen === null || (days !== null && chosen > days)) set(chosen)
          else setAsked(chosen)
        }}
      />
      <ConfirmDialog
        opened={asked !== undefined}
        title={`Delete conversations after ${daysText(asked ?? 0)}?`}
        confirmLabel="Delete Them"
        pending={change.isPending}
        onConfirm={() => set(asked ?? null)}
        onClose={() => setAsked(undefined)}
      >
        Conversations of this space that had no turn for longer are deleted soon, and cannot be brought back.
        What was remembered from them stays.
      </ConfirmDialog>
    </>
  )
}

const daysText = (days: number) => countOf(days, 'day', 'days')

const wordsOf = (days: number | null) =>
  days === null
    ? 'Conversations are kept until somebody deletes them.'
    : `Conversations are deleted after ${daysText(days)} without a new turn.`

/** The times to choose from, and the one that was set elsewhere. */
function choicesOf(days: number | null) {
  const all = days === null || offered.includes(days) ? offered : [...offered, days].sort((a, b) => a - b)
  return [
    { value: '', label: 'Never' },
    ...all.map((count) => ({ value: String(count), label: `After ${daysText(count)}` })),
  ]
}
