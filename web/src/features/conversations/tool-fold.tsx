import type { Turn } from '@loci/contract/conversations'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useContext } from 'react'
import { countOf } from '../../lib/format.ts'
import { splitAtRemovals } from '../../ui/removals.ts'
import { RemovedMark } from '../../ui/removed-mark.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { formatTook, hasFailed, summarizeTools } from './conversations.rules.ts'
import { CutNote } from './cut-note.tsx'
import { contains } from './find.rules.ts'
import { FoundWords, SoughtText } from './found-words.tsx'
import classes from './tool-fold.module.css'

type FoldProps = { turns: Turn[]; isOpen: boolean; onToggle: () => void }

/** The tools that an agent used between two things it said; folded, it tells how many failed. */
export function ToolFold({ turns, isOpen, onToggle }: FoldProps) {
  const { tools, failed, files, tookMs } = summarizeTools(turns)
  const took = formatTook(tookMs)
  return (
    <div className={classes.fold} data-open={isOpen || undefined}>
      <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={onToggle}>
        <IconChevronRight size={14} className={classes.chevron} aria-hidden />
        <span className={classes.count}>{countOf(tools, 'tool', 'tools')}</span>
        {files > 0 && <span>{countOf(files, 'file', 'files')}</span>}
        {failed > 0 && <span className={classes.failed}>{failed} failed</span>}
        {took && <span className={classes.took}>{took}</span>}
      </UnstyledButton>
      {isOpen && (
        <ul>
          {turns.map((turn) => (
            <ToolRow key={turn.id} turn={turn} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Longer results open on their own. */
const linesShown = 12

function ToolRow({ turn }: { turn: Turn }) {
  const { tool, text, files = [], cut } = turn
  const input = tool?.input ?? files[0] ?? ''
  const result = text.trim()
  const isSought = contains(result, useContext(SoughtText))
  const head = (
    <>
      <span className={classes.name}>{tool?.name ?? 'Tool'}</span>
      <code className={classes.input}>
        <FoundWords text={plain(input)} show={(part) => part} />
      </code>
      <Outcome turn={turn} />
    </>
  )
  if (result === '' && !input.includes('\n'))
    return (
      <li id={turn.id} className={classes.row}>
        <div className={classes.line}>{head}</div>
      </li>
    )
  return (
    <li id={turn.id} className={classes.row}>
      <details open={isSought || (hasFailed(turn) && result.split('\n').length <= linesShown)}>
        <summary className={classes.line}>{head}</summary>
        {input.includes('\n') && <Output text={input} />}
        {result !== '' && <Output text={result} isFailure={hasFailed(turn)} />}
        {cut !== undefined && <CutNote cut={cut} />}
      </details>
    </li>
  )
}

/** On one line, with its removed parts named. */
const plain = (text: string) =>
  splitAtRemovals(text.trim().replace(/\s+/g, ' '))
    .map((piece) => ('removed' in piece ? `redacted: ${piece.removed}` : piece.text))
    .join('')

const Output = ({ text, isFailure = false }: { text: string; isFailure?: boolean }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard needs to reach it.
  <pre className={classes.output} data-failure={isFailure || undefined} tabIndex={0}>
    {splitAtRemovals(text).map((piece, index) =>
      'removed' in piece ? (
        <RemovedMark key={index} kind={piece.removed} />
      ) : (
        <FoundWords key={index} text={piece.text} show={(part) => <VisibleText text={part} />} />
      ),
    )}
  </pre>
)

function Outcome({ turn: { tool } }: { turn: Turn }) {
  if (tool?.exitCode !== undefined)
    return (
      <span className={classes.outcome} data-ok={tool.exitCode === 0}>
        exit {tool.exitCode}
      </span>
    )
  if (tool?.ok === false)
    return (
      <span className={classes.outcome} data-ok={false}>
        failed
      </span>
    )
  return null
}
