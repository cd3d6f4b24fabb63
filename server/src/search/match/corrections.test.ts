import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

const others = [
  'The garden gets water at six',
  'Lunch is at noon',
  'Charlie charms chairs',
  'A door is locked',
]

describeOnBothDatabases('corrections', (server) => {
  async function find(query: string, observations: string[]) {
    const alice = await server().signUp()
    await alice.rest.createEntity({ body: { name: 'notes', type: 'list', observations } })
    const found = await alice.rest.searchObservations({ query: { query } })
    return found.observations.map((hit) => hit.content)
  }

  test.each([
    ['dedlocks', 'The worker hit deadlocks at night'],
    ['dedlocks', 'A deadlock stopped the worker'],
    ['dedlocks', 'Two workers deadlocked'],
    ['dedlokc', 'The worker hit a deadlock at night'],
    ['dupliacte', 'The payment was duplicated'],
    ['dupliacte', 'Duplicating rows'],
    ['dupliactes', 'The customer saw a duplicate payment'],
    ['chrages', 'Charges were refunded twice'],
    ['chrages', 'One charge was refunded'],
    ['hte chrages', 'Charging takes an hour'],
    ['tset', 'We tested it'],
    ['tsets', 'We test it'],
    ['qlgorithm', 'The algorithms are old'],
    ['cathces', 'He caught a fish'],
    ['Adress', 'The addresses are old'],
    ['wehbook', 'The webhooks time out'],
    ['wehbooks', 'The webhook times out'],
    ['biling', 'Leads the billing team'],
    ['invoces', 'Sends invoices in May'],
    ['vexanna', "Vex'anna owes 300 gold"],
  ])('%s finds "%s"', async (slip, content) => {
    expect((await find(slip, [...others, content]))[0]).toBe(content)
  })

  test('a word of the dictionary is not a typo', async () => {
    expect(await find('coat', ['She bought a boat'])).toEqual([])
    expect(await find('did they marry', ['Mary likes tea'])).toEqual([])
    expect(await find('hiking', ['She plans the hiring'])).toEqual([])
  })

  test('the abbreviation of a month is not an unknown word', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({ body: { name: 'notes', type: 'list', observations: ['He has tea'] } })
    const { understood } = await alice.rest.searchObservations({ query: { query: 'tea, Jun or Nov?' } })
    expect(understood.unknown).toBeUndefined()
  })

  test('a word of another language is not a word of the dictionary', async () => {
    expect(await find('Wann war denn das Best?', ['Das Fest war am Montag'])).toHaveLength(1)
  })
})
