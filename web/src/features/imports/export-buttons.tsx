import type { ExportFormat } from '@loci/contract/imports'
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { formatBytes } from '../../lib/format.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useExport } from './imports.queries.ts'

const formats: Record<ExportFormat, { label: string; about: string }> = {
  loci: {
    label: 'Everything (JSON Lines)',
    about: 'Includes ids, times and metadata. Can be imported again.',
  },
  markdown: {
    label: 'Markdown vault for Obsidian (ZIP)',
    about: 'A note for each entity, with links. Can be imported again.',
  },
  csv: {
    label: 'CSV tables (ZIP)',
    about: 'Entities, observations and relations, for spreadsheets and databases.',
  },
  graphml: {
    label: 'GraphML',
    about: 'For graph tools such as Gephi and yEd.',
  },
  'json-ld': {
    label: 'JSON-LD',
    about: 'Linked data, with schema.org terms where they exist.',
  },
  'mcp-memory': {
    label: 'Reference memory server (JSON Lines)',
    about: 'Names, types, observations and relations only.',
  },
}

/** Exports the whole memory as a file, in a chosen format. */
export function ExportButtons() {
  const [format, setFormat] = useState<ExportFormat>('loci')
  const { mutate, isPending, error, bytes } = useExport()
  return (
    <>
      {error && <ErrorAlert message={messageOf(error, 'The export was interrupted')} />}
      <NativeSelect
        label="Format"
        description={formats[format].about}
        inputWrapperOrder={['label', 'input', 'description']}
        value={format}
        disabled={isPending}
        onChange={(event) => setFormat(event.currentTarget.value as ExportFormat)}
        data={Object.entries(formats).map(([value, { label }]) => ({ value, label }))}
        maw={420}
      />
      <Group gap="xs" mt="sm">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={isPending}
          onClick={() => mutate(format)}
        >
          Export
        </Button>
        {isPending && (
          <Text c="dimmed" role="status">
            {formatBytes(bytes)} so far
          </Text>
        )}
      </Group>
    </>
  )
}
