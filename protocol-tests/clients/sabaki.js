// Sabaki's own protocol package drives the engine as Sabaki does: start burst, synchronising a game, analysis aborted
// by protocol_version, moves with analysis, undo, rectangular boards, stop.
'use strict'
const assert = require('assert')
const {ControllerStateTracker, Controller} = require('@sabaki/gtp')

const path = process.env.LOSANGE
const hang = setTimeout(() => {
  console.error('sabaki: no answer within 120 s')
  process.exit(1)
}, 120000)

// What Sabaki's analysis parser asks of a part of an info line.
const variation = /(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*$/
const parse = line =>
  line
    .split(/\s*info\s+/)
    .slice(1)
    .map(part => {
      const found = part.trim().match(variation)
      assert(found, `no variation at the end of: ${part}`)
      const words = part.trim().slice(0, found.index).trim().split(/\s+/).slice(0, -1)
      assert(words.length % 2 === 0, `not pairs of key and value: ${words.join(' ')}`)
      const pairs = {}
      for (let i = 0; i < words.length; i += 2) pairs[words[i]] = words[i + 1]
      return {...pairs, pv: found[0].split(/\s+/)}
    })

async function main() {
  const controller = new Controller(path, ['go', '--threads', '2', '--playouts', '500'])
  const tracker = new ControllerStateTracker(controller)
  let stderr = ''
  controller.on('stderr', ({content}) => (stderr += content))

  // The start burst is sent without waiting for answers.
  const [name, version, protocol, commands] = await Promise.all(
    ['name', 'version', 'protocol_version', 'list_commands'].map(name => controller.sendCommand({name}))
  )
  assert.strictEqual(name.content, 'Losange')
  assert.match(version.content, /^\d+\.\d+\.\d+$/)
  assert.strictEqual(protocol.content, '2')
  const known = commands.content.split('\n')
  for (const command of ['komi', 'boardsize', 'clear_board', 'play', 'genmove', 'undo', 'set_free_handicap',
    'rectangular_boardsize', 'kata-analyze', 'kata-genmove_analyze', 'time_settings']) {
    assert(known.includes(command), `${command} is not listed`)
  }
  assert(!known.includes('analyze'), 'analyze is listed, whose numbers Sabaki reads as integers')

  // A game with captures, passes and two moves in a row, then fewer, more and other moves.
  const play = (color, vertex) => ({name: 'play', args: [color, vertex]})
  const game = [play('B', 'A2'), play('W', 'A1'), play('B', 'B1'), play('W', 'pass'), play('B', 'E5'), play('B', 'E6')]
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: game})
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: game.slice(0, 5)})
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: [...game.slice(0, 4), play('B', 'C3'), play('W', 'G7')]})
  const board = await controller.sendCommand({name: 'showboard'})
  assert(!board.error)
  await tracker.sync({komi: 0.5, boardsize: [19, 19],
    history: [{name: 'set_free_handicap', args: ['D4', 'Q16']}, play('W', 'R4')]})
  await tracker.sync({komi: 7.5, boardsize: [7, 5], history: [play('B', 'G5')]})
  await tracker.sync({komi: 7.5, boardsize: [9, 9], history: [play('B', 'E5')]})

  // Analysis, ended by Sabaki's abort signal; three times over, since a second one is what goes wrong elsewhere.
  for (const color of ['W', 'B', 'W']) {
    let lines = 0
    let abort = null
    const response = await controller.sendCommand({name: 'kata-analyze', args: [color, '5']}, ({line}) => {
      if (!line.startsWith('info ')) return
      lines += 1
      const moves = parse(line)
      assert(moves.length > 0)
      for (const move of moves) {
        assert.match(move.winrate, /^\d\.\d+$/)
        assert(+move.winrate >= 0 && +move.winrate <= 1)
        assert.match(move.visits, /^\d+$/)
        assert.match(move.scoreLead, /^-?\d+\.\d+$/)
      }
      if (lines === 3) abort = controller.sendCommand({name: 'protocol_version'})
    })
    assert(!response.error)
    assert(lines >= 3)
    assert.strictEqual((await abort).content, '2')
  }

  // A move with analysis, with the abort signal arriving in the middle: the move is finished first.
  let played = null
  const genmove = controller.sendCommand({name: 'kata-genmove_analyze', args: ['W', '5']}, ({line}) => {
    const found = line.match(/^play\s+(.*)$/)
    if (found) played = found[1]
  })
  const abort = controller.sendCommand({name: 'protocol_version'})
  await genmove
  assert.match(played, /^([A-HJ][1-9]|pass)$/)
  assert.strictEqual((await abort).content, '2')

  // The tracker believes what the engine said; undo and go on from there.
  await tracker.sync({komi: 7.5, boardsize: [9, 9], history: [play('B', 'E5')]})
  const move = await controller.sendCommand({name: 'genmove', args: ['W']})
  assert.match(move.content, /^([A-HJ][1-9]|pass|resign)$/)
  const undone = await controller.sendCommand({name: 'undo'})
  assert(!undone.error)

  const start = Date.now()
  await controller.stop()
  assert(Date.now() - start < 3000, 'Sabaki would have had to kill the engine')
  assert.match(stderr, /^losange: models\/go\.onnx runs on [^\n]*$/, 'a quiet engine says what runs its model and nothing else')
  clearTimeout(hang)
  console.log(`sabaki: passed (@sabaki/gtp ${require('@sabaki/gtp/package.json').version})`)
}

main().catch(error => {
  console.error('sabaki:', error)
  process.exit(1)
})
