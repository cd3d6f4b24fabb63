import { Button, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { MemoryName } from './memory-name.tsx'
import classes from './snippet.module.css'
import { useCreateMemoryKey } from './use-memory.ts'

/** Stands where the snippet will be, until the memory on screen has a key that a client can use. */
export function CreateMemoryKey() {
  const { create, mayCreate } = useCreateMemoryKey()
  return (
    <div className={classes.keyless}>
      <Text>
        An agent needs a key of its own for <MemoryName />. It reaches nothing else, and it is shown once.
      </Text>
      {create.error && <ErrorAlert message={messageOf(create.error, 'Failed to create API key')} />}
      {mayCreate ? (
        <Button
          leftSection={<IconKey size={16} />}
          loading={create.isPending}
          onClick={() => create.mutate()}
          style={{ justifySelf: 'start' }}
        >
          Create a key for this memory
        </Button>
      ) : (
        <Text c="dimmed">
          Viewers cannot create keys. Choose a client that signs in through the browser, such as Claude (web,
          phone).
        </Text>
      )}
    </div>
  )
}
