import type { ImportPreview } from '@loci/contract/imports'
import { Button } from '@mantine/core'
import { countOf, formatBytes, formatNumber } from '../../lib/format.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { ImportCounts } from './import-counts.tsx'
import { ImportProblems } from './import-problems.tsx'
import classes from './import-status.module.css'
import { forgetImport, sendImport } from './import-task.ts'
import { formatNames } from './imports.rules.ts'

const typesShown = 8
const namesShown = 5

/** What a file would add, and any oddities in it, before anything is stored. */
export function ImportPreviewCard({ file, preview }: { file: File; preview: ImportPreview }) {
  const { entities, observations, relations, problems, isWhole } = preview
  const isNew = entities.created + observations.created + relations.created > 0
  return (
    <div className={classes.status}>
      <div>
        <div className={classes.state}>{formatNames[preview.format]}</div>
        <div className={classes.about}>
          <span className={classes.name}>{file.name}</span>
          <span>{formatBytes(file.size)}</span>
        </div>
      </div>
      {!isWhole && (
        <p className={classes.note}>The file is very large; this preview covers only its beginning.</p>
      )}
      <ImportCounts title="Would be imported" report={preview} />
      <Types counts={preview.entityTypes} />
      <Sample sample={preview.sample} />
      <Existing existing={preview.existing} total={entities.existing} />
      <Skipped {...preview.skipped} />
      <ImportProblems problems={problems} />
      {!isNew && <p className={classes.note}>Everything in this file is already stored.</p>}
      <div className={classes.buttons}>
        <Button size="xs" disabled={!isNew} onClick={() => void sendImport(file)}>
          Import
        </Button>
        <Button variant="default" size="xs" onClick={forgetImport}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function Types({ counts }: { counts: ImportPreview['entityTypes'] }) {
  if (counts.length === 0) return null
  return (
    <div className={classes.types}>
      {counts.slice(0, typesShown).map(({ type, count }) => (
        <span key={type}>
          <TypeBadge type={type} /> {formatNumber(count)}
        </span>
      ))}
      {counts.length > typesShown && (
        <span>and {countOf(counts.length - typesShown, 'more type', 'more types')}</span>
      )}
    </div>
  )
}

function Sample({ sample }: Pick<ImportPreview, 'sample'>) {
  if (sample.length === 0) return null
  return (
    <ul className={classes.sample} aria-label="First new entities">
      {sample.map(({ name, observations: [first] }) => (
        <li key={name}>
          <span className={classes.sampleName} title={name}>
            {name}
          </span>
          {first !== undefined && <p>{plainText(first)}</p>}
        </li>
      ))}
    </ul>
  )
}

function Existing({ existing, total }: Pick<ImportPreview, 'existing'> & { total: number }) {
  if (existing.length === 0) return null
  const names = existing.slice(0, namesShown).map(({ name }) => name)
  const more = total > names.length ? ` and ${formatNumber(total - names.length)} more` : ''
  return (
    <p className={classes.note}>
      Already stored: {names.join(', ')}
      {more}. They are kept and gain any missing observations.
    </p>
  )
}

function Skipped({ total, first }: ImportPreview['skipped']) {
  if (total === 0) return null
  return (
    <details className={classes.problems}>
      <summary>{countOf(total, 'file is', 'files are')} not read</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <ol tabIndex={0} aria-label="Files that are not read">
        {first.map((name) => (
          <li key={name}>{name}</li>
        ))}
        {total > first.length && <li>and {countOf(total - first.length, 'more', 'more')}</li>}
      </ol>
    </details>
  )
}
