import type { ImportReport } from '@loci/contract/imports'
import { Button, Progress, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect } from 'react'
import { isApiError } from '../../lib/errors.ts'
import { FileDrop } from './file-drop.tsx'
import { ImportCounts } from './import-counts.tsx'
import { ImportProblems } from './import-problems.tsx'
import classes from './import-status.module.css'
import { forgetImport } from './import-task.ts'
import { useImportReport } from './imports.queries.ts'
import { percentOf } from './imports.rules.ts'

type ImportStatusProps = {
  id: string
  /** The file to send again if the import stopped partway. */
  file: File | undefined
  onFile: (file: File) => void
}

/** An import's progress and result. */
export function ImportStatus({ id, file, onFile }: ImportStatusProps) {
  const { data: report, error } = useImportReport(id)
  const unknown = isApiError(error, 'import_not_found')
  useEffect(() => {
    if (unknown) forgetImport()
  }, [unknown])
  if (!report) return <Skeleton height={60} />
  const halted = report.state === 'interrupted' || report.state === 'plan_limit_reached'
  return (
    <div className={classes.status}>
      <div className={classes.head} role="status">
        {report.state === 'finished' && <IconCircleCheck size={18} className={classes.done} aria-hidden />}
        {halted && <IconAlertTriangle size={18} className={classes.halted} aria-hidden />}
        <span className={classes.state}>{stateTexts[report.state]}</span>
        {report.state === 'running' ? (
          <Text c="dimmed">{percentOf(report)}%</Text>
        ) : (
          <Button variant="default" size="xs" onClick={forgetImport}>
            {halted ? 'Dismiss' : 'Done'}
          </Button>
        )}
      </div>
      {report.state !== 'finished' && (
        <Progress value={percentOf(report)} size={6} aria-label="Import progress" />
      )}
      {error && (
        <Text c="dimmed" role="status">
          The server cannot be reached. The import continues there, and this page catches up when you
          reconnect.
        </Text>
      )}
      {halted && <GoOn report={report} file={file} onFile={onFile} />}
      <ImportCounts title="Imported" report={report} />
      <ImportProblems problems={report.problems} />
    </div>
  )
}

const stateTexts = {
  running: 'Importing...',
  interrupted: 'The import was interrupted',
  plan_limit_reached: 'Stopped at the limit of your plan',
  finished: 'Import finished',
}

function GoOn({ report, file, onFile }: { report: ImportReport } & Omit<ImportStatusProps, 'id'>) {
  const limited = report.state === 'plan_limit_reached'
  const text = limited
    ? 'Upgrade or free up space, then choose the same file to resume.'
    : 'Choose the same file to resume. Nothing is imported twice.'
  return (
    <>
      <Text c="dimmed">{text}</Text>
      {file ? (
        <div>
          <Button size="xs" onClick={() => onFile(file)}>
            Resume with {file.name}
          </Button>
        </div>
      ) : (
        <FileDrop
          title="Choose the same file again"
          hint="It resumes where it stopped"
          accept=""
          onFile={onFile}
        />
      )}
    </>
  )
}
