import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './settings-page.module.css'
import { type OfferedSection, type SettingsSectionId, settingsGroups } from './settings-sections.ts'

type SettingsNavProps = { sections: readonly OfferedSection[]; current: SettingsSectionId }

/** Links to the sections, the open one marked. On a phone it is a page of its own. */
export function SettingsNav({ sections, current }: SettingsNavProps) {
  return (
    <nav className={classes.nav} aria-label="Settings">
      {settingsGroups.map((group) => (
        <div key={group} className={classes.group}>
          <h2 className={classes.groupName}>{group}</h2>
          {sections
            .filter((section) => section.group === group)
            .map(({ id, label, hint }) => (
              <Link
                key={id}
                to="/settings"
                hash={id}
                activeOptions={{ includeHash: true }}
                aria-current={id === current ? 'page' : undefined}
              >
                <span className={classes.label}>{label}</span>
                <span className={classes.hint}>{hint}</span>
                <IconChevronRight size={16} className={classes.chevron} aria-hidden />
              </Link>
            ))}
        </div>
      ))}
    </nav>
  )
}
