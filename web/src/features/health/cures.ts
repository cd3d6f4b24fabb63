import type { HealthItem } from '@loci/contract/health'

/** What a person can do about an item. */
export type CureAction =
  | 'erase'
  | 'newer'
  | 'older'
  | 'merge'
  | 'forget'
  | 'reword'
  | 'edit'
  | 'split'
  | 'confirm'
  | 'leave'
export type Cure = { action: CureAction; label: string }

const leaveWords: Partial<Record<HealthItem['kind'], string>> = {
  secret: 'Not a secret',
  rivals: 'Both',
  duplicate: 'Keep both',
}

const nameMax = 30
const short = (name: string) => (name.length > nameMax ? `${name.slice(0, nameMax - 1)}…` : name)

/** The cures of an item, the likely one first; the last one leaves it as it is. */
export function curesOf(item: HealthItem): Cure[] {
  return [...likely(item), { action: 'leave', label: leaveLabel(item) }]
}

function leaveLabel({ kind, cure, subjects }: HealthItem): string {
  if (cure.action === 'merge') return 'Two things'
  if (kind === 'duplicate' && subjects.length > 2) return 'Keep all'
  return leaveWords[kind] ?? 'Leave it'
}

function likely({ subjects, cure }: HealthItem): Cure[] {
  const edit: Cure = { action: 'edit', label: 'Edit' }
  const forget: Cure = { action: 'forget', label: 'Forget' }
  switch (cure.action) {
    case 'erase':
      return [{ action: 'erase', label: 'Remove it' }]
    case 'replace':
      return [
        { action: 'newer', label: 'The newer holds' },
        { action: 'older', label: 'The older holds' },
      ]
    case 'merge':
      return [{ action: 'merge', label: `Merge into ${short(subjects[0]!.entity.name)}` }]
    case 'forget':
      return [{ action: 'forget', label: subjects.length > 1 ? 'Keep only the first' : 'Forget' }]
    case 'reword':
      return cure.content === undefined
        ? [edit, forget]
        : [{ action: 'reword', label: 'Use this wording' }, edit]
    case 'split':
      return cure.parts === undefined
        ? [edit]
        : [{ action: 'split', label: `Split into ${cure.parts.length}` }, edit]
    case 'relate':
      return []
    case 'confirm':
      return [{ action: 'confirm', label: 'Still true' }, { ...edit, label: 'Correct' }, forget]
  }
}

/** What the grey line says once an item is mended. */
export function mendedWords({ subjects }: HealthItem, action: CureAction): string {
  const name = short(subjects[0]!.entity.name)
  switch (action) {
    case 'erase':
      return `Secret removed from ${name}. Gone from the fact, its history and search. Change the secret itself, too.`
    case 'newer':
      return `The newer fact about ${name} holds`
    case 'older':
      return `The older fact about ${name} holds`
    case 'merge':
      return `${short(subjects[1]!.entity.name)} merged into ${name}`
    case 'forget':
      return subjects.length > 1 ? `Only the first about ${name} is kept` : `Forgotten: ${name}`
    case 'split':
      return `Split: ${name}`
    case 'confirm':
      return `Still true: ${name}`
    case 'leave':
      return `Left as it is: ${name}`
    default:
      return `Written anew: ${name}`
  }
}
