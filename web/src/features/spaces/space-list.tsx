import type { Membership } from '@loci/contract/auth'
import type { Space } from '@loci/contract/spaces'
import { Menu } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import { switchAccount } from '../../lib/switch-account.ts'
import classes from './space-menu.module.css'
import { addressOf } from './spaces.rules.ts'
import { useSpacesOf } from './use-spaces-of.ts'

type SpaceListProps = {
  account: Membership
  spaces: readonly Space[]
  current?: Space | undefined
  onChoose: (space: Space) => void
}

/** The spaces of one account, under its name. */
export function SpaceList({ account, spaces, current, onChoose }: SpaceListProps) {
  return (
    <Menu.RadioGroup
      value={current?.id ?? null}
      onChange={(id) => {
        const chosen = spaces.find((space) => space.id === id)
        if (chosen) onChoose(chosen)
      }}
    >
      <Menu.Label className={classes.heading}>
        <bdi className={classes.name} title={account.name}>
          {account.name}
        </bdi>
        <span className={classes.role}>{account.role}</span>
      </Menu.Label>
      {spaces.map(({ id, name, entities }) => (
        <Menu.RadioItem key={id} value={id} closeMenuOnClick classNames={{ itemLabel: classes.label }}>
          <span className={classes.item}>
            <bdi className={classes.name} title={name}>
              {name}
            </bdi>
            <span className={classes.count}>{formatNumber(entities)}</span>
          </span>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

/** The spaces of the user's other accounts. An account whose spaces cannot be listed can still be opened. */
export function OtherAccounts({ accounts }: { accounts: readonly Membership[] }) {
  const spacesOf = useSpacesOf(accounts)
  return accounts.map((account) => {
    const spaces = spacesOf[account.id] ?? []
    return (
      <div key={account.id}>
        <Menu.Divider />
        <SpaceList
          account={account}
          spaces={spaces}
          onChoose={(space) => switchAccount(account.id, addressOf(space, spaces))}
        />
        {spaces.length === 0 && (
          <Menu.Item onClick={() => switchAccount(account.id)}>Open this account</Menu.Item>
        )}
      </div>
    )
  })
}
