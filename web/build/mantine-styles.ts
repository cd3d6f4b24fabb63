import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const everything = /@mantine\/core\/styles\.layer\.css$/
const styled = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/

/** Components that the app does not use: two fifths of Mantine's styles. */
const unused =
  `ActionBar Affix AngleSlider AppShell AspectRatio Avatar BackgroundImage Blockquote Breadcrumbs Burger Cascader Chip
  ColorInput ColorPicker ColorSwatch Container DataList Dialog EmptyState Fieldset Flex FloatingWindow Grid Image
  Indicator LoadingOverlay Marquee Menubar NavLink NumberInput OverflowList Pagination PinInput Rating RingProgress
  RollingNumber Scroller SemiCircleProgress Slider Splitter Spoiler Stepper TableOfContents ThemeIcon Timeline Toggle
  Toolbar Tour Tree TreeSelect Typography`.split(/\s+/)

/** Leaves the styles of unused components out. The build fails if one of them is used after all. */
export function mantineStyles(): Plugin {
  return {
    name: 'loci:mantine-styles',
    enforce: 'pre',
    apply: 'build',
    async load(id) {
      if (!everything.test(id)) return undefined
      const styles = await readFile(id, 'utf8')
      const left = await Promise.all(unused.map((name) => rulesOf(join(dirname(id), 'styles'), name)))
      return left.reduce((all, rules) => all.replace(rules, ''), styles)
    },
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? Object.keys(file.modules) : [],
      )
      const missing = modules.map((id) => styled.exec(id)?.[1] ?? '').filter((name) => unused.includes(name))
      if (missing.length > 0) this.error(`These are used, and have no styles: ${missing.join(', ')}`)
    },
  }
}

/** The rules of a component as they stand in the sheet of all, without the layer around them. */
async function rulesOf(directory: string, component: string): Promise<string> {
  const sheet = await readFile(join(directory, `${component}.layer.css`), 'utf8')
  return sheet
    .replace(/^@layer mantine\s*\{/, '')
    .replace(/\}\s*$/, '')
    .trim()
}
