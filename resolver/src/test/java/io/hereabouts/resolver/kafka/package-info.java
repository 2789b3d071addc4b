@NullMarked
package io.hereabouts.resolver.kafka;

import org.jspecify.annotations.NullMarked;
