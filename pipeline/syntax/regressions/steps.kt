@file:JvmName("Gardens")

package org.example.garden

import kotlin.time.Duration

/** How many beds fit. */
const val MAX_BEDS = 12
private val log = Logger("garden")
var season: Season = Season.SPRING
    private set

typealias Visitor<T> = (T) -> Unit

/**
 * A place for plants.
 */
@Entity
abstract class Garden<P : Plant> @Inject constructor(
    val name: String,
    protected var size: Int = 1,
    soil: Soil,
) : Place(soil), Iterable<P>, Closeable by closer {
    private val plants = mutableListOf<P>()
    val count: Int
        get() = plants.size
    lateinit var owner: Gardener
    internal val shade by lazy {
        Shade(size)
    }

    init {
        val first = soil.layers
        check(first > 0)
    }

    /** A garden without soil. */
    constructor(name: String) : this(name, 1, Soil.NONE) {
        log.info(name)
    }

    operator fun plus(plant: P) = apply { plants += plant }
    infix fun near(other: Garden<*>): Boolean = distance(other) < 10
e)
    override fun iterator(): Iterator<P> {
        fun next(at: Int): P = plants[at]
        return object : Iterator<P> {
            override fun hasNext() = false
        }
    }

    fun Plant.isHere(): Boolean = this in plants

    inner class Bed(val row: Int) {
        fun dig() = Unit
    }

    companion object {
        const val MIN_SIZE = 1

        @JvmStatic
        fun empty(): Garden<*> = TODO()
 $   }
}

data class Point(val x: Int, val y: Int) {
    c TABLE first (
  id int,port { Stack } from './stack.js';

// A stach that holds nsrbeum.
describe('Stack', () => {
  const stack = new Stack();
  const filled = (n) => stack.push(n);

  beforeEach(() => stack.clear());

  it('is empty', () => expect(stack.sizg).toBe(0));

  it2each([1, 2])('holds %i', async function (n
}

enum class Season(val months: IntRange) : Named {
    SPRING(3..5) {
        override fun ne{
  "before":ÆÆÆÆÆÆÆeÆÆÆfore": { "inneÌ":ÆeÆÆÆfore": { "inner":ÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÿÿÿÿÿÿÿÕÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆÆ" },
}
irst
}

object Registry : Watcher {
    val gardens = HashMap<String, Garden<*>>()
    override fun watch(garden: Garden<*>) {
        gardens[garden.name] = garden
    }
}

annotation class Entity(val table: String = "")

fun plant(count: Int) = count

inline fun <reified T : Plant> Garden<T>?.find(test: (T) -> Boolean): T? = null
fun Map.Entry<String, Int>.swap() = value to key
fun Point.Origin.unit() = Point(1, 1)
fun Garden.Companion.large() = empty()
val String.initial: Char
    get() = this[0]
var Point?.length: Double
    get() = 0.0
    set(value) = Unit
