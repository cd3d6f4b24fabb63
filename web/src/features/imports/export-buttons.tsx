import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { formatBytes } from '../../lib/format.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { type ExportFormat, useExport } from './imports.queries.ts'

const formats: { format: ExportFormat; label: string }[] = [
  { format: 'loci', label: 'Export everything' },
  { format: 'mcp-memory', label: 'Export for the reference server' },
]

/** The whole memory as a file. */
export function ExportButtons() {
  const { mutate, isPending, variables, error, bytes } = useExport()
  return (
    <>
      {error && <ErrorAlert message={messageOf(error, 'The export broke off')} />}
      <Group gap="xs">
        {formats.map(({ format, label }) => (
          <Button
            key={format}
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={isPending && variables === format}
            disabled={isPending}
            onClick={() => mutate(format)}
          >
            {label}
          </Button>
        ))}
        {isPending && (
          <Text c="dimmed" role="status">
            {formatBytes(bytes)} so far
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        Everything: ids, times and metadata too, to keep or to import again. The reference server's file holds
        names, types, observations and relations.
      </Text>
    </>
  )
}
