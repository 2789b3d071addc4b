/** The {@code hereabouts} command: options in, features called, results printed. No rules of its own. */
@NullMarked
package io.hereabouts.cli;

import org.jspecify.annotations.NullMarked;
