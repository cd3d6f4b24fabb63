import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { defineConfig, type MarkdownRenderer } from 'vitepress'
import { slugOf } from '../../scripts/heading-slug.ts'

const decisions = new URL('../decisions/', import.meta.url)

/** The decision records, in the order of their numbers, under their titles. */
function listDecisions() {
  const files = readdirSync(decisions).filter((file) => /^\d{3}-.*\.md$/.test(file))
  return files.sort().map((file) => {
    const [title = file] = readFileSync(new URL(file, decisions), 'utf8').split('\n')
    return { text: title.replace(/^# /, '').replaceAll('`', ''), link: `/decisions/${file.slice(0, -3)}` }
  })
}

/** Shows links to files of the repository outside docs/, which the site does not have, as plain text. */
function unlinkFilesOutside(md: MarkdownRenderer) {
  md.core.ruler.push('unlink_files_outside', ({ tokens, env }) => {
    for (const token of tokens) {
      let outside = false
      token.children = (token.children ?? []).filter(({ type, attrs }) => {
        if (type === 'link_open') {
          const href = Object.fromEntries(attrs ?? []).href ?? ''
          outside = href.startsWith('../') && join(env.relativePath, '..', href).startsWith('../')
        }
        return !(outside && (type === 'link_open' || type === 'link_close'))
      })
    }
  })
}

export default defineConfig({
  title: 'Loci',
  description:
    'Persistent memory for AI agents: a knowledge graph over the Model Context Protocol, with a web app',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
  cleanUrls: true,
  lastUpdated: false,
  outDir: './dist',
  cacheDir: './.cache',
  markdown: { anchor: { slugify: slugOf }, config: unlinkFilesOutside },
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'Operate', link: '/install' },
      { text: 'How it works', link: '/architecture' },
    ],
    sidebar: [
      {
        text: 'Use',
        items: [
          { text: 'Get started', link: '/getting-started' },
          { text: 'Agents (MCP)', link: '/mcp' },
          { text: 'Conversations', link: '/conversations' },
          { text: 'History and undo', link: '/history' },
          { text: 'Health of a memory', link: '/health' },
          { text: 'Webhooks', link: '/webhooks' },
          { text: 'Roles and rights', link: '/rights' },
          { text: 'Beside other memory servers', link: '/comparison' },
        ],
      },
      {
        text: 'Operate',
        items: [
          { text: 'Install', link: '/install' },
          { text: 'Configuration', link: '/configuration' },
          { text: 'Operations', link: '/operations' },
          { text: 'Scaling', link: '/scaling' },
          { text: 'Capacity', link: '/capacity' },
          { text: 'Reliability', link: '/reliability' },
          { text: 'Billing', link: '/billing' },
        ],
      },
      {
        text: 'How it works',
        items: [
          { text: 'Architecture', link: '/architecture' },
          { text: 'Search', link: '/search' },
          { text: 'Benchmarks', link: '/benchmarks' },
          { text: 'Dependencies', link: '/decisions/dependencies' },
        ],
      },
      { text: 'Decisions', collapsed: true, link: '/decisions/', items: listDecisions() },
    ],
  },
})
