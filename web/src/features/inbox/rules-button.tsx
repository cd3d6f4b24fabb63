import { Button, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { formatDate } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { AlwaysWords } from './always-words.tsx'
import classes from './inbox.module.css'
import { useAcceptRules, useChangeRules } from './inbox.queries.ts'

/** Shows by which rules proposals are accepted at once, and ends them. */
export function RulesButton() {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        className={classes.rulesButton}
        leftSection={<IconAdjustments size={14} aria-hidden />}
        onClick={open}
      >
        Rules
      </Button>
      <Modal opened={isOpen} onClose={close} title="Rules" size="lg">
        {isOpen && <RuleList />}
      </Modal>
    </>
  )
}

function RuleList() {
  const { data, error, refetch } = useAcceptRules(true)
  const { end } = useChangeRules()
  if (error) return <ErrorAlert message="Could not load the rules." onRetry={() => void refetch()} />
  if (data === undefined) return <LoadingText>Loading the rules...</LoadingText>
  if (data.rules.length === 0)
    return (
      <Text size="sm">
        No rules. Tick “Always accept” under a proposal to accept what its agent adds to entities of that type
        from then on.
      </Text>
    )
  const endRule = (id: string) =>
    end.mutate(id, {
      onError: (failure) => notifyError('The rule could not be ended', messageOf(failure, '')),
    })
  return (
    <Stack gap="sm">
      <Text size="sm">
        What changes, replaces or deletes something waits all the same. Decided proposals stand under
        Accepted, with Undo.
      </Text>
      <ul className={classes.rules}>
        {data.rules.map(({ id, type, by, createdBy, createdAt }) => (
          <li key={id} className={classes.rule}>
            <span>
              <AlwaysWords type={type} by={by} />
              <span className={classes.held}>
                {' '}
                {createdBy.name}, {formatDate(createdAt)}
              </span>
            </span>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => endRule(id)}
              aria-label={`End the rule for ${type}`}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
