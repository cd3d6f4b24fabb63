import { Button, Group, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FileDrop } from './file-drop.tsx'
import { ImportPreviewCard } from './import-preview-card.tsx'
import classes from './import-status.module.css'
import { ImportStatus } from './import-status.tsx'
import { forgetImport, type ImportTask, sendImport, sendPreview, useImportTask } from './import-task.ts'
import { findFileProblem } from './imports.rules.ts'

const fileTypes = '.jsonl,.ndjson,.json,.zip,.md,.markdown,.txt,.csv'

/** Imports a memory: choose a file, follow the progress, read the result. */
export function ImportPanel() {
  const task = useImportTask()
  const [problem, setProblem] = useState<string>()

  function take(file: File) {
    const found = findFileProblem(file)
    setProblem(found)
    if (found === undefined) void sendPreview(file)
  }

  switch (task?.step) {
    case 'sending':
      return (
        <div>
          <Group justify="space-between" mb={6}>
            <Text className={classes.name}>{sendingText(task)}</Text>
            <Button variant="subtle" size="compact-xs" onClick={forgetImport}>
              Cancel
            </Button>
          </Group>
          <Progress value={task.share * 100} size={6} aria-label={`Uploading ${task.file.name}`} />
        </div>
      )
    case 'previewed':
      return <ImportPreviewCard file={task.file} preview={task.preview} />
    case 'started':
      return (
        <ImportStatus key={task.id} id={task.id} file={task.file} onFile={(file) => void sendImport(file)} />
      )
    default:
      return (
        <div>
          {task && <ErrorAlert message={task.message} onRetry={() => void sendPreview(task.file)} />}
          {problem && <ErrorAlert message={problem} />}
          <FileDrop
            title="Choose a file or drop it here"
            hint="Exports from Loci, ChatGPT, Claude, mem0, Zep and the reference memory server, or an Obsidian vault as a ZIP. You see a preview before anything is stored."
            accept={fileTypes}
            onFile={take}
          />
        </div>
      )
  }
}

function sendingText({ file, share, isPreview }: Extract<ImportTask, { step: 'sending' }>): string {
  if (share < 1) return `Uploading ${file.name}...`
  return isPreview ? `Reading ${file.name}...` : `Starting to import ${file.name}...`
}
