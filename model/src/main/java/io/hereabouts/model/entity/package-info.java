/** Physical entities and their categories. */
@NullMarked
package io.hereabouts.model.entity;

import org.jspecify.annotations.NullMarked;
