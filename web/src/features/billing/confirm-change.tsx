import type { ChangePreview, Plan, Subscription } from '@loci/contract/billing'
import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { formatDay, formatDollars, toIso } from '../../lib/format.ts'
import { nameOfPlan } from './billing.rules.ts'
import { changeSentences } from './change.rules.ts'
import classes from './confirm-change.module.css'

type ConfirmChangeProps = {
  subscription: Subscription
  plan: Plan
  preview: ChangePreview
  pending: boolean
  onConfirm: () => void
  onBack: () => void
}

/** Shows the cost of a change of plan and asks for confirmation. */
export function ConfirmChange(props: ConfirmChangeProps) {
  const { subscription, plan, preview, pending, onConfirm, onBack } = props
  const dayOf = (epochSeconds: number) => `${formatDay(toIso(epochSeconds))} (UTC)`
  const sentences = changeSentences(nameOfPlan(subscription.plan), plan, preview, dayOf)
  return (
    <Stack gap="md">
      {preview.lines.length > 0 && <Lines preview={preview} />}
      <div>
        {sentences.map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack} data-autofocus>
          Back
        </Button>
        <Button loading={pending} onClick={onConfirm}>
          {confirmLabelOf(plan, preview)}
        </Button>
      </Group>
    </Stack>
  )
}

function confirmLabelOf({ priceId }: Plan, { now }: ChangePreview): string {
  if (now > 0) return `Pay ${formatDollars(now)}`
  return priceId === null ? 'Confirm Downgrade' : 'Confirm Change'
}

function Lines({ preview: { lines, now } }: { preview: ChangePreview }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Description</Table.Th>
          <Table.Th scope="col" className={classes.amount}>
            Amount
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(({ description, amount }) => (
          <Table.Tr key={`${description} ${amount}`}>
            <Table.Td>{description}</Table.Td>
            <Table.Td className={classes.amount}>{formatDollars(amount)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot className={classes.due}>
        <Table.Tr>
          <Table.Th scope="row">Due now</Table.Th>
          <Table.Td className={classes.amount} fw={600}>
            {formatDollars(now)}
          </Table.Td>
        </Table.Tr>
      </Table.Tfoot>
    </Table>
  )
}
