import assert from "node:assert/strict"
import { test } from "node:test"
import * as plugin from "../src/index.ts"

test("There is one export: the client would call each other one as a plugin.", () => {
  assert.deepEqual(Object.keys(plugin), ["default"])
  assert.equal(typeof plugin.default.server, "function")
})

test("A session that is switched off, or is hardwon's own, has no hooks.", async () => {
  for (const [name, value] of [
    ["HARDWON_GUARD", "1"],
    ["HARDWON_CONTROL_ENABLED", "no"],
  ] as const) {
    process.env[name] = value
    assert.deepEqual(await plugin.default.server({ directory: "/", client: {} }), {})
    delete process.env[name]
  }
})
