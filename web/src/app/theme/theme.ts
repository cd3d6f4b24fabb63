import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from '@mantine/core'
import { amber, dark, gray, green, iris, red } from './colors.ts'

const small = { defaultProps: { size: 'sm' } }
// The accent is light in the dark scheme.
const onAccent = { defaultProps: { iconColor: 'var(--loci-ink-contrast)' } }

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.25,
  colors: { iris, gray, dark, green, red, yellow: amber, orange: amber },
  black: '#1b1a1f',
  fontFamily: "'Geist Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'Geist Mono Variable', ui-monospace, monospace",
  headings: {
    fontWeight: '600',
    fontFamily: "'Geist Variable', system-ui, sans-serif",
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.2728' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.3685' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.3334' },
      h4: { fontSize: '0.84375rem', lineHeight: '1.4815' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.84375rem', md: '0.90625rem', lg: '0.9375rem', xl: '1.1875rem' },
  lineHeights: { xs: '1.3334', sm: '1.4815', md: '1.5173', lg: '1.3334', xl: '1.3685' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' },
  defaultRadius: 'md',
  // Containers have larger radii than their contents.
  radius: { xs: '4px', sm: '4px', md: '6px', lg: '10px', xl: '10px' },
  shadows: Object.fromEntries(['xs', 'sm', 'md', 'lg', 'xl'].map((size) => [size, 'var(--loci-shadow)'])),
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
  // By name rather than `Component.extend`, which would pull every component into the first chunk.
  components: {
    Button: { defaultProps: { color: 'ink', size: 'sm', fw: 500 } },
    ActionIcon: { defaultProps: { color: 'gray', variant: 'subtle' } },
    Badge: { defaultProps: { tt: 'none', radius: 'sm', fw: 500, variant: 'light' } },
    Card: { defaultProps: { withBorder: true, padding: 'md', radius: 'lg' } },
    Paper: { defaultProps: { withBorder: true } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        // The placeholder is focusable but no menu item, which ARIA forbids in a menu. Focus the first item
        // instead.
        withInitialFocusPlaceholder: false,
      },
    },
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
    // The reset takes the bullets of all lists.
    List: { defaultProps: { listStyleType: 'disc' } },
    Text: { defaultProps: { size: 'sm' } },
    Anchor: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    TextInput: small,
    PasswordInput: { defaultProps: { size: 'sm', visibilityToggleFocusable: true } },
    NumberInput: small,
    Textarea: small,
    Select: {
      defaultProps: {
        size: 'sm',
        comboboxProps: { shadow: 'md' },
        maxDropdownHeight: 280,
        openOnFocus: false,
        // Otherwise Enter would send the form, and leave the field empty.
        selectFirstOptionOnChange: true,
      },
    },
    Checkbox: onAccent,
    Radio: onAccent,
    RadioIndicator: onAccent,
    Tabs: { defaultProps: { color: 'var(--loci-ink)' } },
    SegmentedControl: { defaultProps: { size: 'sm', withItemsBorders: false } },
  },
})

const soft = (color: string, token: string) => ({
  [`--mantine-color-${color}-light`]: `var(--loci-${token}-soft)`,
  [`--mantine-color-${color}-light-hover`]: `var(--loci-${token}-soft)`,
  [`--mantine-color-${color}-light-color`]: `var(--loci-${token})`,
})

const common = {
  '--mantine-color-body': 'var(--loci-ground)',
  '--mantine-color-text': 'var(--loci-ink)',
  '--mantine-color-dimmed': 'var(--loci-ink-2)',
  '--mantine-color-placeholder': 'var(--loci-ink-3)',
  '--mantine-color-error': 'var(--loci-bad)',
  '--mantine-color-anchor': 'var(--loci-accent)',
  '--mantine-color-default': 'var(--loci-surface)',
  '--mantine-color-default-hover': 'var(--loci-hover)',
  '--mantine-color-default-color': 'var(--loci-ink)',
  '--mantine-color-default-border': 'var(--loci-wall)',
  '--mantine-color-disabled': 'var(--loci-sunken)',
  '--mantine-color-disabled-color': 'var(--loci-ink-3)',
  '--mantine-color-disabled-border': 'var(--loci-line)',
  ...soft('iris', 'accent'),
  ...soft('green', 'ok'),
  ...soft('yellow', 'warn'),
  ...soft('orange', 'warn'),
  ...soft('red', 'bad'),
  '--mantine-color-gray-light': 'var(--loci-sunken)',
  '--mantine-color-gray-light-hover': 'var(--loci-sunken)',
  '--mantine-color-gray-light-color': 'var(--loci-ink-2)',
}

/**
 * Maps our tokens (ui/tokens.css) to the library's names. Set in both schemes; otherwise the library's own
 * values win.
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: common,
  dark: common,
})
