import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { download } from '../../lib/download.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import classes from './security.module.css'

/** Shows the codes, for the only time. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Stack gap="md">
      <Alert color="yellow" role="status" title="Save these recovery codes now">
        They are shown only this once. Each signs you in once if you lose your phone or passkeys. Keep them
        where you keep passwords.
      </Alert>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing={6} className={classes.codes}>
        {codes.map((code) => (
          <Text component="li" key={code} ff="monospace">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <CopyButton value={text} label="Copy All" />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
            onClick={() => download(new Blob([text], { type: 'text/plain' }), 'loci-recovery-codes.txt')}
          >
            Download
          </Button>
        </Group>
        <Button className={classes.wide} onClick={onDone}>
          I Saved Them
        </Button>
      </Group>
    </Stack>
  )
}
