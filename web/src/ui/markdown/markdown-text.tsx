import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { VisibleText } from '../visible-text.tsx'
import { safeHref } from './markup.ts'
import classes from './rich-text.module.css'

/** Deeper nesting is shown as plain source. */
const depthMax = 12

/**
 * Markdown as React elements. The text is never converted to HTML: tags in it are shown literally, and images
 * become links, so that nothing is loaded from other sites.
 */
export default function MarkdownText({ text }: { text: string }) {
  return <div className={classes.rich}>{blocksOf(tokensOf(text), 0)}</div>
}

function tokensOf(text: string): Token[] {
  try {
    return new Lexer({ gfm: true, breaks: true }).lex(text)
  } catch {
    return [{ type: 'text', raw: text, text }]
  }
}

const keyed = (tokens: readonly Token[], render: (token: Token) => ReactNode) =>
  tokens.map((token, index) => <Fragment key={`${index} ${token.type}`}>{render(token)}</Fragment>)

const blocksOf = (tokens: readonly Token[], depth: number): ReactNode =>
  keyed(tokens, (token) => (depth > depthMax ? token.raw : block(token, depth + 1)))

const inlineOf = (tokens: readonly Token[] | undefined, depth: number): ReactNode =>
  keyed(tokens ?? [], (token) => (depth > depthMax ? token.raw : inline(token, depth + 1)))

function block(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return <p className={classes.heading}>{inlineOf(token.tokens, depth)}</p>
    case 'paragraph':
      return <p>{inlineOf(token.tokens, depth)}</p>
    case 'code':
      return (
        <pre className={classes.code}>
          <code>
            <VisibleText text={token.text} />
          </code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocksOf(token.tokens ?? [], depth)}</blockquote>
    case 'list':
      return list(token as Tokens.List, depth)
    case 'table':
      return table(token as Tokens.Table, depth)
    case 'hr':
      return <hr />
    default:
      return inline(token, depth)
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const rows = items.map((item, index) => (
    <li key={index} data-task={item.task || undefined}>
      {item.task && (item.checked ? '☑ ' : '☐ ')}
      {blocksOf(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth,
      )}
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function table({ header, rows }: Tokens.Table, depth: number): ReactNode {
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    row.map(({ tokens }, index) => <Cell key={index}>{inlineOf(tokens, depth)}</Cell>)
  return (
    <div className={classes.table}>
      <table>
        <thead>
          <tr>{cells(header, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlineOf(token.tokens, depth)}</strong>
    case 'em':
      return <em>{inlineOf(token.tokens, depth)}</em>
    case 'del':
      return <del>{inlineOf(token.tokens, depth)}</del>
    case 'codespan':
      return (
        <code>
          <VisibleText text={token.text} />
        </code>
      )
    case 'br':
      return <br />
    case 'escape':
      return <VisibleText text={token.text} />
    case 'link':
      return <TextLink href={token.href}>{inlineOf(token.tokens, depth)}</TextLink>
    case 'image':
      return (
        <TextLink href={token.href}>
          <VisibleText text={token.text || token.href} />
        </TextLink>
      )
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        inlineOf(token.tokens, depth)
      ) : (
        <VisibleText text={token.raw} />
      )
    default:
      return <VisibleText text={token.raw} />
  }
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const address = safeHref(href)
  if (address === undefined) return <>{children}</>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
