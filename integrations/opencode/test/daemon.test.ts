import assert from "node:assert/strict"
import { afterEach, beforeEach, test } from "node:test"
import { Daemon } from "../../shared/daemon.ts"
import { Fake } from "./fake.ts"

let fake: Fake

beforeEach(() => {
  fake = new Fake()
})

afterEach(() => fake.close())

test("A question has the header of the hook client, and gets its answer.", async () => {
  await fake.listen(() => '{"text":"é"}')
  assert.equal(await new Daemon(fake.place).ask("chat.message", '{"a":1}', 250), '{"text":"é"}')
  assert.match(fake.heard[0]?.header ?? "", /^1 1 opencode chat\.message \d+$/)
  assert.deepEqual(fake.heard[0]?.body, { a: 1 })
})

test("A message of megabytes arrives whole.", async () => {
  await fake.listen(() => "ok")
  const long = "x".repeat(3_000_000)
  assert.equal(await new Daemon(fake.place).ask("chat.message", JSON.stringify({ long }), 5000), "ok")
  assert.equal(fake.heard[0]?.body.long, long)
})

test("Without a daemon nobody waits longer than was said, and it hears all of it later, in order.", async () => {
  const daemon = new Daemon(fake.place)
  const began = Date.now()
  assert.equal(await daemon.ask("chat.message", '{"n":0}', 100), "")
  assert.ok(Date.now() - began < 1000)
  for (let n = 1; n < 5; n++) daemon.tell("tool.execute.after", `{"n":${n}}`)
  await fake.listen()
  await daemon.finish(5000)
  assert.deepEqual(
    fake.heard.map((one) => one.body.n),
    [0, 1, 2, 3, 4],
  )
})

test("What is kept for it is bounded: the newest.", async () => {
  const daemon = new Daemon(fake.place)
  await daemon.ask("chat.message", '{"n":-1}', 1)
  for (let n = 0; n < 600; n++) daemon.tell("tool.execute.after", `{"n":${n}}`)
  await fake.listen()
  await daemon.finish(10_000)
  assert.equal(fake.heard.length, 500)
  assert.equal(fake.heard.at(-1)?.body.n, 599)
})

test("For a daemon that hangs a few wait, and then nobody for a while.", async () => {
  await fake.listen(() => null)
  const daemon = new Daemon(fake.place)
  for (let n = 0; n < 3; n++) assert.equal(await daemon.ask("chat.message", "{}", 50), "")
  const began = Date.now()
  for (let n = 0; n < 20; n++) assert.equal(await daemon.ask("chat.message", "{}", 5000), "")
  assert.ok(Date.now() - began < 1000)
})

test("Where there is none and none comes up a few wait; one that comes up later is asked again.", async () => {
  const daemon = new Daemon(fake.place)
  for (let n = 0; n < 3; n++) assert.equal(await daemon.ask("chat.message", "{}", 50), "")
  const began = Date.now()
  for (let n = 0; n < 20; n++) assert.equal(await daemon.ask("chat.message", "{}", 5000), "")
  assert.ok(Date.now() - began < 1000)
  await fake.listen(() => "ok")
  await daemon.finish(5000)
  assert.equal(await daemon.ask("chat.message", "{}", 5000), "ok")
})

test("A tool's call that nobody heard says so, and is not made later.", async () => {
  const daemon = new Daemon(fake.place)
  assert.equal(await daemon.call("note", "{}", 60), null)
  await fake.listen()
  await daemon.finish(300)
  assert.deepEqual(fake.heard, [])
})

test("A socket in somebody else's folder is not spoken to.", async () => {
  await fake.listen(() => "ok")
  const daemon = new Daemon({ ...fake.place, socket: "/tmp/s" })
  assert.equal(await daemon.ask("chat.message", "{}", 50), "")
})
