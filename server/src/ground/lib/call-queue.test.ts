import { expect, test } from 'vitest'
import { CallGoneError, createCallQueue, endSlot, outsideSlot, QueueFullError } from './call-queue.ts'
import { untilZero } from './pace.ts'

const [alice, bob, carol] = [1, 2, 3]
const nextTask = () => new Promise(setImmediate)

/** Four slots, and calls that run until they are told to continue. */
function makeCalls() {
  const clock = { now: 1_000_000 }
  const turns = createCallQueue({ atOnce: 4, waitingPerCallerMax: 20 }, () => clock.now)
  const running: string[] = []
  const goOn = new Map<string, () => void>()
  const call = (caller: number, name: string, then = async () => {}, onGone?: (leave: () => void) => void) =>
    turns.run(
      caller,
      async () => {
        running.push(name)
        await new Promise<void>((resolve) => goOn.set(name, resolve))
        await then()
        running.splice(running.indexOf(name), 1)
        return name
      },
      onGone,
    )
  const finish = async (name: string) => {
    goOn.get(name)!()
    await nextTask()
    // The next waiting call begins in a separate turn of the event loop.
    await nextTask()
  }
  return { turns, clock, running, call, finish }
}

test('a lone caller leaves one slot free, and another gets it at once', async () => {
  const { turns, running, call } = makeCalls()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void call(alice, name)
  expect(running).toEqual(['a1', 'a2', 'a3'])
  void call(bob, 'b1')
  expect(running).toEqual(['a1', 'a2', 'a3', 'b1'])
  expect(turns.waiting).toBe(2)
})

test('concurrent callers take turns, one call each', async () => {
  const { running, call, finish } = makeCalls()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void call(alice, name)
  void call(bob, 'b1')
  void call(bob, 'b2')
  await finish('a1')
  await finish('a2')
  expect(running).toEqual(['a3', 'b1'])
  await finish('a3')
  expect(running).toEqual(['b1', 'a4'])
  await finish('b1')
  expect(running).toEqual(['a4', 'b2'])
})

test('a caller who pauses between calls still counts; after a second the other has the slots again', async () => {
  const { clock, running, call, finish } = makeCalls()
  void call(bob, 'b1')
  await finish('b1')
  for (const name of ['a1', 'a2', 'a3', 'a4']) void call(alice, name)
  expect(running).toEqual(['a1'])
  clock.now += 1_000
  await finish('a1')
  expect(running).toEqual(['a2', 'a3', 'a4'])
})

test('a crowd beside another caller waits until nobody runs, or for 20 ms', async () => {
  const { clock, running, call, finish } = makeCalls()
  for (let i = 1; i <= 20; i++) void call(alice, `a${i}`)
  void call(bob, 'b1')
  for (const name of ['a1', 'a2', 'a3']) await finish(name)
  expect(running).toEqual(['b1', 'a4'])
  await finish('a4')
  expect(running).toEqual(['b1'])
  await finish('b1')
  expect(running).toEqual(['a5'])
  void call(bob, 'b2')
  void call(carol, 'c1')
  await finish('a5')
  await finish('c1')
  expect(running).toEqual(['b2'])
  void call(carol, 'c2')
  clock.now += 20
  await finish('c2')
  expect(running).toEqual(['b2', 'a6'])
})

test('an aborted call leaves its place, and a running one continues', async () => {
  const { turns, running, call, finish } = makeCalls()
  const leave: (() => void)[] = []
  const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) =>
    call(
      alice,
      name,
      async () => {},
      (gone) => leave.push(gone),
    ),
  )
  expect(leave).toHaveLength(2)
  leave[0]!()
  await expect(calls[3]).rejects.toThrow(CallGoneError)
  expect(turns.waiting).toBe(1)
  await finish('a1')
  expect(running).toEqual(['a2', 'a3', 'a5'])
  leave[1]!()
  await finish('a5')
  expect(await calls[4]).toBe('a5')
})

test('refuses more than may wait, and failed calls give their slots back', async () => {
  const { turns, call } = makeCalls()
  const fail = async () => Promise.reject(new Error('failed'))
  for (let i = 0; i < 23; i++) void call(alice, `a${i}`)
  await expect(call(alice, 'one too many')).rejects.toThrow(QueueFullError)
  const others = makeCalls()
  for (let i = 0; i < 10; i++) await expect(others.turns.run(alice, fail)).rejects.toThrow('failed')
  expect(turns.waiting).toBe(20)
  expect(others.turns.waiting).toBe(0)
})

test('a call that ended its turn continues while others begin', async () => {
  const { running, call, finish } = makeCalls()
  const written = Promise.withResolvers<void>()
  for (const name of ['a1', 'a2', 'a3', 'a4']) {
    void call(alice, name, () => {
      endSlot()
      endSlot()
      return written.promise
    })
  }
  expect(running).toEqual(['a1', 'a2', 'a3'])
  await finish('a1')
  expect(running).toEqual(['a1', 'a2', 'a3', 'a4'])
  for (const name of ['a2', 'a3', 'a4']) await finish(name)
  written.resolve()
  await nextTask()
  expect(running).toEqual([])
})

test('a call that waits for another system takes its slot again when it continues', async () => {
  const { running, call, finish } = makeCalls()
  const answer = Promise.withResolvers<void>()
  void call(bob, 'b1')
  await finish('b1')
  const first = call(alice, 'a1', () => outsideSlot(() => answer.promise))
  void call(alice, 'a2')
  expect(running).toEqual(['a1'])
  await finish('a1')
  expect(running).toEqual(['a1', 'a2'])
  answer.resolve()
  await nextTask()
  expect(running).toEqual(['a1', 'a2'])
  await finish('a2')
  expect(await first).toBe('a1')
  void call(alice, 'a3')
  expect(running).toEqual(['a3'])
})

test('there are no turns outside calls', async () => {
  endSlot()
  expect(await outsideSlot(async () => 1)).toBe(1)
})

test('what gives way to calls begins when none runs or waits, wherever it waits, or when its patience ends', async () => {
  const { turns, call, finish } = makeCalls()
  await turns.untilQuiet(60_000)
  const calls = [call(alice, 'a1'), call(bob, 'b1', () => outsideSlot(async () => void (await nextTask())))]
  const impatient = turns.untilQuiet(1)
  const events: string[] = []
  const quiet = turns.untilQuiet(60_000).then(() => events.push('quiet'))
  const quietElsewhere = untilZero(turns.running, 60_000).then(() => events.push('quiet elsewhere'))
  await untilZero(turns.running, 1)
  await impatient
  await finish('a1')
  expect(events).toEqual([])
  void calls[1]!.then(() => events.push('b1'))
  await finish('b1')
  await Promise.all([quiet, quietElsewhere])
  // Another thread can hear of it before or after this one.
  expect([events[0], ...events.slice(1).sort()]).toEqual(['b1', 'quiet', 'quiet elsewhere'])
})

test('work that runs as a call is waited for like one', async () => {
  const { turns } = makeCalls()
  const stored = Promise.withResolvers<string>()
  const storing = turns.asCall(() => stored.promise)
  const events: string[] = []
  const quiet = turns.untilQuiet(60_000).then(() => events.push('quiet'))
  await turns.untilQuiet(1)
  expect([turns.running[0], events]).toEqual([1, []])
  stored.resolve('stored')
  expect(await storing).toBe('stored')
  await quiet
  expect(turns.running[0]).toBe(0)
})
