import { Kbd, Modal } from '@mantine/core'
import { allowedTo } from '../../lib/allowed-to.ts'
import { useUser } from '../../lib/session.ts'
import { modifierKey } from './modifier-key.ts'
import { shortcutGroups } from './shortcuts.ts'
import classes from './shortcuts-dialog.module.css'

/** Lists every keyboard shortcut. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const role = useUser()?.role
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <div className={classes.groups}>
        {shortcutGroups.map(({ title, rows }) => (
          <section key={title}>
            <h3 className={classes.title}>{title}</h3>
            <dl>
              {allowedTo(role, rows).map(({ keys, label }) => (
                <div key={label} className={classes.row}>
                  <dt>{label}</dt>
                  <dd className={classes.keys}>
                    {keys.map((key, index) => (
                      <Kbd key={index}>{key === 'mod' ? modifierKey : key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
