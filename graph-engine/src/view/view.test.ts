import { describe, expect, test, vi } from 'vitest'
import { GraphModel } from '../model/graph-model.ts'
import { attachContextMenu } from './context-menu.ts'
import { EventHub } from './events.ts'
import { Filters } from './filters.ts'
import { attachKeyboard } from './keyboard.ts'
import { MapBook } from './map-book.ts'
import { NamedRegions } from './named-regions.ts'
import { PinBook } from './pins.ts'
import { spokenNode, spokenRegions, spokenStep } from './spoken.ts'
import { atOnce } from './steps.ts'

const node = (id: string, type = 'person', createdAt?: string) => ({
  id,
  name: `Name of ${id}`,
  type,
  observationsCount: 0,
  ...(createdAt === undefined ? {} : { createdAt }),
})

const edge = (id: string, from: string, to: string, relationType = 'knows', createdAt?: string) => ({
  id,
  fromEntityId: from,
  toEntityId: to,
  relationType,
  ...(createdAt === undefined ? {} : { createdAt }),
})

const spring = '2026-04-01T00:00:00.000Z'
const summer = '2026-07-01T00:00:00.000Z'

function modelOf(): GraphModel {
  const model = new GraphModel()
  model.apply({
    nodes: [node('a'), node('b', 'company', spring), node('c', 'person', summer)],
    edges: [edge('1', 'a', 'b'), edge('2', 'b', 'c', 'owns', summer)],
  })
  return model
}

function lonelyModel(): GraphModel {
  const model = new GraphModel()
  model.apply({ nodes: [node('a'), node('b'), node('c')], edges: [edge('1', 'a', 'b')] })
  return model
}

describe('filters', () => {
  const shownWith = (change: Partial<Filters>) => {
    const { nodes, edges } = Object.assign(new Filters(), change).shown(modelOf())
    return { nodes: nodes && [...nodes], edges: edges && [...edges] }
  }

  test.each<[string, Partial<Filters>, number[] | null, number[] | null]>([
    ['nothing', {}, null, null],
    ['a type', { types: new Set(['person']) }, [0, 1, 0], null],
    ['a type that no node has', { types: new Set(['event']) }, [1, 1, 1], null],
    ['a relation type', { relationTypes: new Set(['owns']) }, null, [1, 0]],
    ['single nodes', { nodes: new Set(['b', 'gone']) }, [1, 0, 1], null],
    ['what is newer than spring', { until: spring }, [1, 1, 0], [1, 0]],
    ['what is newer than summer', { until: summer }, [1, 1, 1], [1, 1]],
    ['a type and a time', { types: new Set(['company']), until: spring }, [1, 0, 0], [1, 0]],
  ])('hide %s', (_title, change, nodes, edges) => {
    expect(shownWith(change)).toEqual({ nodes, edges })
  })
})

describe('pins', () => {
  test('are kept by id, the last place of a node counting', () => {
    const pins = new PinBook()
    pins.set('a', [1, 2])
    pins.set('b', [3, 4])
    pins.set('a', [5, 6])
    expect(pins.places()).toEqual({ a: [5, 6], b: [3, 4] })
    pins.delete('b')
    pins.delete('b')
    expect([pins.ids(), pins.size, pins.has('b')]).toEqual([['a'], 1, false])
    pins.clear()
    expect(pins.size).toBe(0)
  })

  test('of nodes that are not in the graph wait until they are', () => {
    const pins = new PinBook()
    pins.set('later', [7, 8])
    pins.set('c', [1, 2])
    const model = modelOf()
    expect(pins.rows(model)).toEqual({ nodes: Uint32Array.of(2), places: Float32Array.of(1, 2) })
    model.apply({ nodes: [node('later')] })
    expect([...pins.rows(model).nodes].sort()).toEqual([2, 3])
  })
})

describe('the graph in words', () => {
  const region = (name: string, size: number, loose = false) => ({
    id: name,
    name,
    named: false,
    loose,
    size,
  })

  test('says what a node is and where, and what led to it', () => {
    const model = modelOf()
    expect(spokenNode(model, 1, region('Work', 2))).toMatch(/^Name of b, company, .*, 2 relations, in Work$/)
    expect(spokenNode(model, 2, region('Not linked', 1, true))).toMatch(/, 1 relation, not linked$/)
    expect(spokenStep(model, 2, 1)).toBe('Name of b owns Name of c. ')
    expect(spokenStep(model, 0, 2)).toBe('')
  })

  test('lists the largest regions', () => {
    const many = Array.from({ length: 10 }, (_, i) => region(`R${i}`, 20 - i))
    expect(spokenRegions(many)).toMatch(
      /^Regions: R0, 20 nodes; .*R7, 13 nodes; and 2 more regions\. Arrow keys/,
    )
    expect(spokenRegions([])).toMatch(/^Arrow keys/)
  })
})

describe('the names of regions', () => {
  function bookOf(): NamedRegions {
    const book = new NamedRegions(modelOf(), new MapBook())
    book.regions = {
      of: Int32Array.of(0, 0, 1),
      key: Int32Array.of(0, -1),
      hub: Uint32Array.of(1, 2),
      size: Uint32Array.of(2, 1),
      tint: new Uint8Array(2),
      loose: 1,
    }
    return book
  }

  test('are those of their hubs until they are given', () => {
    const book = bookOf()
    expect(book.list()).toEqual([
      { id: 'b', name: 'Name of b', named: false, loose: false, size: 2 },
      { id: 'c', name: 'Ungrouped', named: false, loose: true, size: 1 },
    ])
    book.setNames({ a: 'Work', gone: 'Nowhere' })
    expect(book.of(1)).toMatchObject({ id: 'b', name: 'Work', named: true })
  })

  test('follow the first named node, ignore empty names, and never name what is not linked', () => {
    const book = bookOf()
    book.setNames({ b: '', a: 'Work', c: 'Rest' })
    expect(book.list().map(({ name }) => name)).toEqual(['Work', 'Ungrouped'])
    book.setNames({ b: 'First', a: 'Second' })
    expect(book.of(0)?.name).toBe('First')
  })

  test('say whether nodes outside every region are linked at all', () => {
    const book = new NamedRegions(lonelyModel(), new MapBook())
    book.regions = { ...bookOf().regions!, of: Int32Array.of(0, 0, 1) }
    expect(book.list()[1]).toMatchObject({ name: 'Not linked', loose: true })
  })

  test('are found by node, by point and by id', () => {
    const book = bookOf()
    book.outlines = {
      points: Float32Array.of(0, 0, 10, 0, 10, 10, 0, 10),
      start: Uint32Array.of(0, 4),
      region: Uint16Array.of(0),
    }
    expect(book.at(5, 5)?.id).toBe('b')
    expect(book.at(50, 5)).toBe(null)
    expect(book.nodesOf('b')).toEqual([0, 1])
    expect([book.nodesOf('a'), book.of(17)]).toEqual([[], null])
  })

  test('are none before there are regions', () => {
    const book = new NamedRegions(modelOf(), new MapBook())
    expect([book.list(), book.of(0), book.at(0, 0), book.nodesOf('a')]).toEqual([[], null, null, []])
  })
})

describe('the map', () => {
  const regions = {
    of: Int32Array.of(0, 0, 1),
    key: Int32Array.of(0, -1),
    hub: Uint32Array.of(1, 2),
    size: Uint32Array.of(2, 1),
    tint: Uint8Array.of(3, 255),
    loose: 1,
  }
  const anywhere = [1.4, 2, 30, 40, -5, 6]

  test('remembers where nodes were first, in whole units, with the region named after its first representative', () => {
    const book = new MapBook()
    expect([book.isEmpty, book.recall(modelOf())]).toEqual([true, null])
    const places = [
      { id: 'a', x: 1, y: 2, region: 0 },
      { id: 'b', x: 30, y: 40, region: 0 },
      { id: 'c', x: -5, y: 6, region: -1 },
    ]
    const positions = Float32Array.from(anywhere)
    expect(atOnce(book.remember(modelOf(), positions, regions))).toEqual(places)
    expect(positions).toEqual(Float32Array.of(1, 2, 30, 40, -5, 6))
    expect(book.map()).toEqual({ regions: [{ id: 'b', tint: 3 }], places })
    expect(
      atOnce(
        book.remember(
          modelOf(),
          positions.map((value) => value + 50),
          regions,
        ),
      ),
    ).toEqual([])
    expect(book.recall(modelOf())).toEqual({
      positions: Float32Array.of(1, 2, 30, 40, -5, 6),
      region: Int32Array.of(0, 0, -1),
      hub: Int32Array.of(1),
      tint: Uint8Array.of(3),
    })
  })

  test('lets a node that was in no region move into one, and nothing else move by itself', () => {
    const book = new MapBook()
    const positions = Float32Array.from(anywhere)
    atOnce(book.remember(modelOf(), positions, regions))
    const all = { ...regions, of: Int32Array.of(0, 0, 0), key: Int32Array.of(0), loose: -1 }
    const moved = positions.map((value) => value + 9)
    expect(atOnce(book.remember(modelOf(), moved, all))).toEqual([{ id: 'c', x: 4, y: 15, region: 0 }])
    const before = { id: 'a', x: 1, y: 2, region: 0 }
    expect(book.move('a', [7.2, 8])).toEqual({ before, place: { ...before, x: 7, y: 8 } })
    expect(book.move('nobody', [1, 1])).toBe(undefined)
  })

  test('takes over what others stored, under the numbers of its own regions', () => {
    const book = new MapBook()
    const positions = Float32Array.from(anywhere)
    atOnce(book.remember(modelOf(), positions, regions))
    atOnce(
      book.take({
        regions: [
          { id: 'z', tint: 1 },
          { id: 'b', tint: 5 },
        ],
        places: [
          { id: 'c', x: 0, y: 1, region: 1 },
          { id: 'y', x: 2, y: 3, region: 0 },
        ],
      }),
    )
    expect(book.map().regions).toEqual([
      { id: 'b', tint: 5 },
      { id: 'z', tint: 1 },
    ])
    expect(book.map().places.map(({ id, region }) => [id, region])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['y', 1],
    ])
    expect(book.regionId(1)).toBe('z')
  })

  test('remembers many nodes in steps, and no more of them once the graph has changed', () => {
    const count = 25_000
    const nodes = Array.from({ length: count }, (_, i) => node(`n${i}`))
    const model = new GraphModel()
    model.apply({ nodes })
    const steps = new MapBook().remember(model, new Float32Array(2 * count), null)
    expect(steps.next().done).toBe(false)
    model.apply({ nodesGone: ['n0'] })
    const { done, value } = steps.next()
    expect([done, value?.length]).toEqual([true, 9_999])
  })

  test('draws a small part on a smaller scale, and remembers its newcomers on the scale of the whole', () => {
    const book = new MapBook()
    const places = Array.from({ length: 48 }, (_, i) => ({ id: `n${i}`, x: 100 * i, y: 0, region: -1 }))
    atOnce(book.take({ regions: [], places: [...places, { id: 'a', x: 100, y: 200, region: -1 }] }))
    book.fit(modelOf())
    const { positions: shown } = book.recall(modelOf())!
    const scale = shown[0]! / 100
    expect(scale).toBeGreaterThan(0.1)
    expect(scale).toBeLessThan(0.2)
    const [b] = atOnce(book.remember(modelOf(), Float32Array.of(shown[0]!, shown[1]!, 10, 20, 0, 0), null))
    expect(b).toEqual({ id: 'b', x: Math.round(10 / scale), y: Math.round(20 / scale), region: -1 })
  })
})

describe('listeners', () => {
  test('hear of events until they leave, each once', () => {
    const hub = new EventHub()
    const [first, second] = [vi.fn(), vi.fn()]
    const leave = hub.on('hover', first)
    hub.on('hover', second)
    hub.on('hover', second)
    hub.emit('hover', node('a'))
    leave()
    leave()
    hub.emit('hover', null)
    expect(first.mock.calls).toEqual([[node('a')]])
    expect(second).toHaveBeenCalledTimes(2)
    hub.clear()
    hub.emit('hover', null)
    expect(second).toHaveBeenCalledTimes(2)
  })

  test('can leave while they are called, without others missing the event', () => {
    const hub = new EventHub()
    const last = vi.fn()
    const leave = hub.on('hover', () => leave())
    hub.on('hover', last)
    hub.emit('hover', null)
    expect(last).toHaveBeenCalledOnce()
  })
})

/** An element, as far as listeners need one. */
class Root extends EventTarget {
  getBoundingClientRect = () => ({ left: 100, top: 50 })
}

const eventOf = (name: string, fields: object) =>
  Object.assign(new Event(name, { cancelable: true, bubbles: true }), fields)

describe('the keyboard', () => {
  function keyboard() {
    const root = new Root()
    const calls: string[] = []
    const say = (text: string) => () => void calls.push(text)
    const detach = attachKeyboard(root as unknown as HTMLElement, {
      move: (direction) => calls.push(direction),
      enter: say('enter'),
      clear: () => calls.push('clear') === 1,
      zoomBy: (factor) => calls.push(factor > 1 ? 'in' : 'out'),
      reset: say('reset'),
      menu: say('menu'),
    })
    const press = (key: string, fields = {}) => {
      const event = eventOf('keydown', { key, ...fields })
      root.dispatchEvent(event)
      return event.defaultPrevented
    }
    return { calls, press, detach }
  }

  test.each([
    ['ArrowLeft', {}, 'left'],
    ['ArrowDown', {}, 'down'],
    ['Enter', {}, 'enter'],
    ['+', { shiftKey: true }, 'in'],
    ['=', {}, 'in'],
    ['-', {}, 'out'],
    ['0', {}, 'reset'],
    ['ContextMenu', {}, 'menu'],
    ['F10', { shiftKey: true }, 'menu'],
  ])('acts on %s', (key, fields, call) => {
    const { calls, press } = keyboard()
    expect(press(key, fields)).toBe(true)
    expect(calls).toEqual([call])
  })

  test.each([
    ['a', {}],
    ['Tab', {}],
    ['F10', {}],
    ['ArrowLeft', { ctrlKey: true }],
    ['0', { metaKey: true }],
    ['-', { altKey: true }],
  ])('leaves %s with %j to the browser', (key, fields) => {
    const { calls, press } = keyboard()
    expect(press(key, fields)).toBe(false)
    expect(calls).toEqual([])
  })

  test('passes Escape on when there is nothing to clear, and stops once detached', () => {
    const { calls, press, detach } = keyboard()
    expect([press('Escape'), press('Escape')]).toEqual([true, false])
    detach()
    press('Enter')
    expect(calls).toEqual(['clear', 'clear'])
  })
})

describe('the menu', () => {
  function menu() {
    vi.useFakeTimers()
    const root = new Root()
    const opened: number[][] = []
    vi.stubGlobal('window', globalThis)
    const detach = attachContextMenu(root as unknown as HTMLElement, (x, y) => opened.push([x, y]))
    const send = (name: string, fields: object) => root.dispatchEvent(eventOf(name, fields))
    const touch = (name: string, clientX = 130, clientY = 70) =>
      send(name, { pointerType: 'touch', isPrimary: true, clientX, clientY })
    return { opened, send, touch, detach }
  }

  test.each([
    ['a right click', { button: 2 }, [[20, 10]]],
    [
      'a click with Control held, which is the right click of a Mac',
      { button: 0, ctrlKey: true },
      [[20, 10]],
    ],
    ['a menu key, which has no position', { button: 0, ctrlKey: false }, []],
  ])('opens as asked by %s', (_title, fields, expected) => {
    const { opened, send } = menu()
    send('contextmenu', { clientX: 120, clientY: 60, ...fields })
    expect(opened).toEqual(expected)
    vi.useRealTimers()
  })

  test('opens after a long press, not after a tap or a slip of the finger', () => {
    const { opened, touch } = menu()
    touch('pointerdown')
    touch('pointerup')
    vi.advanceTimersByTime(2_000)
    touch('pointerdown')
    touch('pointermove', 160)
    vi.advanceTimersByTime(2_000)
    expect(opened).toEqual([])
    touch('pointerdown')
    touch('pointermove', 134)
    vi.advanceTimersByTime(2_000)
    expect(opened).toEqual([[30, 20]])
    vi.useRealTimers()
  })

  test('does not open for a press with a mouse, or once detached', () => {
    const { opened, send, touch, detach } = menu()
    send('pointerdown', { pointerType: 'mouse', isPrimary: true, clientX: 130, clientY: 70 })
    vi.advanceTimersByTime(2_000)
    touch('pointerdown')
    detach()
    vi.advanceTimersByTime(2_000)
    expect(opened).toEqual([])
    vi.useRealTimers()
  })
})
