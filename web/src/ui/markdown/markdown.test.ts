import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import MarkdownText from './markdown-text.tsx'
import { hasMarkup, safeHref } from './markup.ts'

const shown = (text: string) =>
  renderToStaticMarkup(createElement(MarkdownText, { text })).replace(/^<div[^>]*>|<\/div>$/g, '')

describe('Markdown', () => {
  test('is rendered: emphasis, code, lists, tables, quotes', () => {
    expect(shown('**Never** restart `settle --dry-run`')).toBe(
      '<p><strong>Never</strong> restart <code>settle --dry-run</code></p>',
    )
    expect(shown('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>')
    expect(shown('3. three')).toBe('<ol start="3"><li>three</li></ol>')
    expect(shown('> said')).toBe('<blockquote><p>said</p></blockquote>')
    expect(shown('a | b\n--|--\n1 | 2')).toContain('<td>2</td>')
    expect(shown('# Not a heading of the page')).not.toContain('<h1')
    expect(shown('one\ntwo')).toBe('<p>one<br/>two</p>')
  })

  test('never becomes HTML, loads nothing, and links only to the web and mail', () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '![pixel](https://example.com/pixel.png)',
      '[click](javascript:alert(1))',
      '[click](data:text/html,<script>alert(1)</script>)',
      '[local](/api/keys)',
      '<a href="javascript:alert(1)">x</a>',
      '&lt;b&gt; **<i>**',
    ]
    for (const text of hostile) {
      const html = shown(text)
      expect(html).not.toMatch(/<(script|img|i|b)\b/)
      expect(html).not.toMatch(/href="(?!https:\/\/example\.com)/)
    }
    expect(shown('![pixel](https://example.com/pixel.png)')).toBe(
      '<p><a href="https://example.com/pixel.png" target="_blank" rel="noopener noreferrer nofollow">pixel</a></p>',
    )
  })

  test('turns plain addresses into links', () => {
    expect(shown('See https://example.com/a_b_c?x=1.')).toContain(
      '<a href="https://example.com/a_b_c?x=1" target="_blank" rel="noopener noreferrer nofollow">',
    )
    expect(shown('settlement_batch_size and 2 * 3 * 4')).toBe('<p>settlement_batch_size and 2 * 3 * 4</p>')
  })

  test('survives deep nesting', () => {
    expect(shown(`${'> '.repeat(2_000)}x`)).toContain('x')
    expect(shown('['.repeat(5_000))).toContain('[[[')
  })

  test('is parsed only if a text may contain some', () => {
    expect(hasMarkup('Prefers asynchronous reviews, 01:00 to 02:30 UTC (never 3).')).toBe(false)
    const marked = ['a *b*', '1. x', '- x', 'a\nb', 'https://a.b', 'mail me@example.com', '    code']
    expect(marked.filter(hasMarkup)).toEqual(marked)
    expect([safeHref('https://a.b/c'), safeHref('JavaScript:x'), safeHref('//a.b')]).toEqual([
      'https://a.b/c',
      undefined,
      undefined,
    ])
  })
})
