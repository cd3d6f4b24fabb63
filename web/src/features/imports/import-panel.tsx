import { Button, Group, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FileDrop } from './file-drop.tsx'
import { ImportStatus } from './import-status.tsx'
import { forgetImport, sendImport, useImportTask } from './import-task.ts'
import { findFileProblem } from './imports.rules.ts'

const fileTypes = '.jsonl,.ndjson,.json'

/** Brings a memory in: choose a file, see how far it is, read what became of it. */
export function ImportPanel() {
  const task = useImportTask()
  const [problem, setProblem] = useState<string>()

  function take(file: File) {
    const found = findFileProblem(file)
    setProblem(found)
    if (found === undefined) void sendImport(file)
  }

  switch (task?.step) {
    case 'sending':
      return (
        <div>
          <Group justify="space-between" mb={6}>
            <Text>Sending {task.file.name}...</Text>
            <Button variant="subtle" size="compact-xs" onClick={forgetImport}>
              Cancel
            </Button>
          </Group>
          <Progress value={task.share * 100} size={6} aria-label={`Sending ${task.file.name}`} />
        </div>
      )
    case 'started':
      return <ImportStatus key={task.id} id={task.id} file={task.file} onFile={take} />
    default:
      return (
        <div>
          {task && <ErrorAlert message={task.message} onRetry={() => void sendImport(task.file)} />}
          {problem && <ErrorAlert message={problem} />}
          <FileDrop
            title="Choose a file or drop it here"
            hint="JSON lines: an export of Loci, or memory.jsonl of the reference memory server"
            accept={fileTypes}
            onFile={take}
          />
        </div>
      )
  }
}
