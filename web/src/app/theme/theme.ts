import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from '@mantine/core'
import { dark, gray, iris } from './colors.ts'

const small = { defaultProps: { size: 'sm' } }

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.25,
  colors: { iris, gray, dark },
  black: '#1a1a1f',
  fontFamily: "'Geist Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'Geist Mono Variable', ui-monospace, monospace",
  headings: { fontWeight: '600', fontFamily: "'Geist Variable', system-ui, sans-serif" },
  defaultRadius: 'md',
  // What holds things is rounder than what stands in it.
  radius: { md: '8px', lg: '12px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  variantColorResolver: (input) => {
    if (input.color !== 'ink' || input.variant === 'default') return defaultVariantColorsResolver(input)
    const filled = input.variant === 'filled'
    return {
      background: filled ? 'var(--loci-ink)' : 'transparent',
      hover: filled ? 'var(--loci-ink-hover)' : 'var(--mantine-color-default-hover)',
      color: filled ? 'var(--loci-ink-contrast)' : 'var(--mantine-color-text)',
      border: '1px solid transparent',
    }
  },
  // By name, not with `Component.extend`: that would pull every one of them into the first chunk.
  components: {
    Button: { defaultProps: { color: 'ink', size: 'sm', fw: 500 } },
    ActionIcon: { defaultProps: { color: 'gray', variant: 'subtle' } },
    Badge: { defaultProps: { tt: 'none', radius: 'sm', fw: 500, variant: 'light' } },
    Card: { defaultProps: { withBorder: true, padding: 'md', radius: 'lg' } },
    Paper: { defaultProps: { withBorder: true } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
    Modal: {
      defaultProps: {
        centered: true,
        padding: 'lg',
        radius: 'lg',
        closeButtonProps: { 'aria-label': 'Close dialog' },
        // A header element inside a dialog would count as a second banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Text: { defaultProps: { size: 'sm' } },
    Anchor: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    TextInput: small,
    PasswordInput: small,
    NumberInput: small,
    Textarea: small,
    Select: {
      defaultProps: {
        size: 'sm',
        comboboxProps: { shadow: 'md' },
        maxDropdownHeight: 280,
        openOnFocus: false,
      },
    },
    SegmentedControl: { defaultProps: { size: 'sm' } },
  },
})

/** Our tokens (ui/tokens.css) where Mantine has a name for them; its own colours fail the contrast of WCAG AA in some places; these pass in both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--loci-ground)',
    '--mantine-color-dimmed': 'var(--loci-dimmed)',
    '--mantine-color-placeholder': '#6b6b75',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': 'var(--loci-accent)',
    '--mantine-color-default-border': 'var(--loci-border)',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-orange-light-color': '#8a3c06',
    '--mantine-color-green-light-color': '#1b5e2a',
    '--mantine-color-red-light-color': '#a3190f',
    '--mantine-color-gray-light-color': gray[8],
  },
  dark: {
    '--mantine-color-dimmed': 'var(--loci-dimmed)',
    '--mantine-color-placeholder': '#8b8b97',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-anchor': 'var(--loci-accent)',
    '--mantine-color-default': dark[6],
    '--mantine-color-default-border': 'var(--loci-border)',
    // Tinted ground, not a solid colour: what is told is to be read, not to glare.
    '--mantine-color-yellow-light': 'rgb(250 176 5 / 0.14)',
    '--mantine-color-orange-light': 'rgb(253 126 20 / 0.16)',
    '--mantine-color-green-light': 'rgb(64 192 87 / 0.14)',
    '--mantine-color-red-light': 'rgb(250 82 82 / 0.15)',
    '--mantine-color-iris-light': 'rgb(141 138 247 / 0.18)',
    '--mantine-color-yellow-light-color': '#ffe08a',
    '--mantine-color-orange-light-color': '#ffc9a3',
    '--mantine-color-green-light-color': '#9be6ae',
    '--mantine-color-red-light-color': '#ffb3ac',
    '--mantine-color-iris-light-color': iris[2],
    '--mantine-color-gray-light': 'rgb(255 255 255 / 0.07)',
    '--mantine-color-gray-light-color': dark[0],
  },
})
