import { accountHeader } from '@loci/contract/auth'
import { expect, test } from 'vitest'
import { restWith, signIn } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('the place where a person was last', (server) => {
  const placeOf = ({ token }: { token: string }) => restWith(server(), token).getPlace()

  /** Invites an address; returns the token of the link. */
  async function invite({ rest }: Person, email: string): Promise<string> {
    const { url } = await rest.inviteMember({ body: { email, role: 'member' } })
    return url.split('#token=')[1]!
  }

  async function joinTeam(team: Person, person: Person): Promise<void> {
    await person.rest.acceptInvitation({ params: { token: await invite(team, person.email) } })
  }

  async function signUpInvited(team: Person) {
    const email = `guest-${team.email}`
    const invitation = await invite(team, email)
    const names = { firstName: 'Gil', lastName: 'Guest' }
    return server().anonymous.register({ body: { email, password: team.password, ...names, invitation } })
  }

  test('is their own default space at first, then the one that they went to, at every sign-in', async () => {
    const person = await server().signUp()
    const { rest, accountId } = person
    const [home] = (await rest.listSpaces()).spaces
    expect(await rest.getPlace()).toEqual({ accountId, spaceId: home!.id })
    const { space } = await rest.createSpace({ body: { name: 'Client work' } })
    const place = { accountId, spaceId: space.id }
    expect(await rest.setPlace({ body: place })).toEqual(place)
    expect(await (await signIn(server(), person)).getPlace()).toEqual(place)
  })

  test('can be in an account that they belong to, and is each person’s own', async () => {
    const team = await server().signUp('team')
    const person = await server().signUp()
    await joinTeam(team, person)
    const { space } = await team.rest.createSpace({ body: { name: 'Plans' } })
    const place = { accountId: team.accountId, spaceId: space.id }
    await person.rest.setPlace({ body: place })
    expect(await placeOf(person)).toEqual(place)
    expect(await placeOf(team)).toMatchObject({ spaceId: 'spc_1' })
    // The account that a call names does not matter.
    const inTeam = { headers: { [accountHeader]: team.accountId } }
    expect(await person.rest.getPlace(inTeam)).toEqual(place)
    const own = { accountId: person.accountId, spaceId: 'spc_1' }
    expect(await person.rest.setPlace({ body: own, ...inTeam })).toEqual(own)
  })

  test('cannot be where they have no access', async () => {
    const stranger = await server().signUp('stranger')
    const { rest, accountId } = await server().signUp()
    await expect(
      rest.setPlace({ body: { accountId: stranger.accountId, spaceId: 'spc_1' } }),
    ).rejects.toMatchObject({ code: 'account_not_found' })
    await expect(rest.setPlace({ body: { accountId, spaceId: 'spc_zz' } })).rejects.toMatchObject({
      code: 'space_not_found',
    })
    expect(await rest.getPlace()).toEqual({ accountId, spaceId: 'spc_1' })
  })

  test('is their own default space again when the space is deleted, or they leave or lose the account', async () => {
    const person = await server().signUp()
    const { rest, accountId, userId } = person
    const own = { accountId, spaceId: 'spc_1' }
    const { space } = await rest.createSpace({ body: { name: 'Short-lived' } })
    await rest.setPlace({ body: { accountId, spaceId: space.id } })
    await rest.deleteSpace({ params: { id: space.id } })
    expect(await rest.getPlace()).toEqual(own)

    const team = await server().signUp('team')
    const place = { accountId: team.accountId, spaceId: 'spc_1' }
    await joinTeam(team, person)
    await rest.setPlace({ body: place })
    await team.rest.deleteMember({ params: { userId } })
    expect(await rest.getPlace()).toEqual(own)

    await joinTeam(team, person)
    await rest.setPlace({ body: place })
    await team.rest.deleteAccount({ body: { password: team.password } })
    expect(await rest.getPlace()).toEqual(own)
  })

  test('is the account that invited them, for people who sign up through an invitation', async () => {
    const team = await server().signUp('team')
    const guest = await signUpInvited(team)
    expect(guest.user.accountId).not.toBe(team.accountId)
    expect(await placeOf(guest)).toEqual({ accountId: team.accountId, spaceId: 'spc_1' })
    await team.rest.deleteMember({ params: { userId: guest.user.id } })
    expect(await placeOf(guest)).toEqual({ accountId: guest.user.accountId, spaceId: 'spc_1' })
  })
})
