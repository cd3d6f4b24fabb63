import type { Page } from 'playwright-core'

/**
 * The controls whose hit area is narrower or lower than 44 pixels, with its size: what the browser itself answers
 * around the control's centre, so padding that a pseudo-element adds counts. Links within running text are left out,
 * as WCAG 2.5.8 does, and so is what something else covers.
 */
export const smallTargetsIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const least = 44
    const controls =
      'a[href], button, input, select, textarea, summary, label:has(input), [role=button], [role=tab], [role=option], [role=switch], [role=slider], [role^=menuitem], [contenteditable=true]'
    const small = new Map<string, number>()
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      if (!isShown(control) || isInText(control)) continue
      control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      const { width, height } = hitArea(control)
      if (width === 0 || (width >= least && height >= least)) continue
      const line = `${nameOf(control)} ${width}x${height}`
      small.set(line, (small.get(line) ?? 0) + 1)
    }
    return [...small].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`))

    function isShown(element: HTMLElement): boolean {
      if (element.matches(':disabled, [type=hidden], [type=file]')) return false
      const { width, height } = element.getBoundingClientRect()
      const isSeen = element.checkVisibility({ opacityProperty: false, visibilityProperty: true })
      return isSeen && width > 1 && height > 1 && !element.closest('[aria-hidden=true], [inert]')
    }

    function isInText(element: HTMLElement): boolean {
      if (getComputedStyle(element).display !== 'inline') return false
      let block = element.parentElement!
      while (getComputedStyle(block).display === 'inline') block = block.parentElement!
      if (getComputedStyle(block).display.includes('flex')) return false
      return [...block.childNodes].some(
        (node) =>
          node !== element &&
          !(node instanceof HTMLElement && node.matches(controls)) &&
          !!node.textContent?.trim(),
      )
    }

    /** How far the browser still answers with the control, from the centre of its first line. */
    function hitArea(control: HTMLElement) {
      const box = control.getClientRects()[0] ?? control.getBoundingClientRect()
      const x = box.left + box.width / 2
      const y = box.top + box.height / 2
      const reach = (dx: number, dy: number) => {
        let steps = 0
        while (steps < least && hits(control, x + dx * (steps + 1), y + dy * (steps + 1))) steps++
        return steps
      }
      if (!hits(control, x, y)) return { width: 0, height: 0 }
      return { width: 1 + reach(-1, 0) + reach(1, 0), height: 1 + reach(0, -1) + reach(0, 1) }
    }

    function hits(control: HTMLElement, x: number, y: number): boolean {
      const hit = document.elementFromPoint(x, y)
      if (!hit) return false
      // The border of a field may be that of the box around it.
      if (control.contains(hit) || hit === control.closest('.mantine-Input-input')) return true
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      return labels.some((label) => label.contains(hit))
    }

    function nameOf(control: HTMLElement): string {
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''
      const place = control.id || control.className.toString().split(' ').slice(0, 2).join('.')
      return `${control.tagName.toLowerCase()} "${name.slice(0, 40)}" .${place}`
    }
  })
